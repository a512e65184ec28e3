import type { RevocationEffects } from "../revocations/Application.ts"
import * as InvitationRepo from "./InvitationRepo.ts"

/** An invitation that was accepted or withdrawn invites nobody on a board that does not know of it. */
export const revocationEffects = {
  invitation: ({ at, subject, value }) =>
    InvitationRepo.end(subject, value === "accepted" ? "accepted" : "revoked", at)
} satisfies Partial<RevocationEffects>
