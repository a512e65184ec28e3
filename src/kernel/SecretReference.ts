import { Schema } from "effect"
import { kept } from "./Incoming.ts"

/** How a setting names a secret that the environment holds: `env:NAME`. The secret itself is never stored. */
export const SecretReference = Schema.String.pipe(
  Schema.pattern(/^env:[A-Z][A-Z0-9_]{0,127}$/, {
    message: () => "Expected env:NAME, the name of a variable that SERVICE_SECRETS lists"
  }),
  kept("It names the variable that holds a secret, and never the secret.")
).annotations({
  identifier: "SecretReference",
  description: "`env:NAME` of a variable that SERVICE_SECRETS lists"
})
export type SecretReference = typeof SecretReference.Type
