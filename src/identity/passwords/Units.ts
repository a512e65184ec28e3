import { Effect, Option, Schema } from "effect"
import type { RevocationEffects } from "../revocations/Application.ts"
import * as OwnerRepo from "./OwnerRepo.ts"

const asOwner = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ passwordHash: Schema.String, recoveryHash: Schema.String }))
)

/** Logins that ended stay ended, and a password that was changed stays changed, on a board that does not know of it. */
export const revocationEffects = {
  session: ({ subject }) => OwnerRepo.removeSession(subject),
  sessions: ({ at, value }) => OwnerRepo.endSessionsUntil(at, value ?? ""),
  owner: ({ value }) => Option.match(asOwner(value), { onNone: () => Effect.void, onSome: OwnerRepo.put })
} satisfies Partial<RevocationEffects>
