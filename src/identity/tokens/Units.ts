import type { RevocationEffects } from "../revocations/Application.ts"
import * as ApiTokenRepo from "./ApiTokenRepo.ts"

/** A token that was revoked is revoked again on a board that does not know of it. */
export const revocationEffects = {
  "api-token": ({ at, subject }) => ApiTokenRepo.revoke(subject, at)
} satisfies Partial<RevocationEffects>
