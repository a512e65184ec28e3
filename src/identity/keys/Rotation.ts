import { Schema } from "effect"
import { Timestamp } from "../../kernel/Time.ts"

/** Which secret signs sessions and pairing payloads, since when, and how long the one before still counts. */
export const RotationStatus = Schema.Struct({
  keyId: Schema.String,
  rotatedAt: Schema.NullOr(Timestamp).annotations({
    description: "Since when this secret signs; null when the environment sets it"
  }),
  graceUntil: Schema.NullOr(Timestamp).annotations({
    description: "Until when the secret before this one still counts; null when none does"
  }),
  configured: Schema.Boolean.annotations({ description: "True when SERVICE_JWT_SECRET sets the secret" })
}).annotations({ identifier: "RotationStatus" })
export type RotationStatus = typeof RotationStatus.Type
