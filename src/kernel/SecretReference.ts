import { Schema } from "effect"

/** How a setting names a secret that the environment holds: `env:NAME`. The secret itself is never stored. */
export const SecretReference = Schema.String.pipe(
  Schema.pattern(/^env:[A-Z][A-Z0-9_]{0,127}$/, {
    message: () => "Expected env:NAME, the name of a variable that SERVICE_SECRETS lists"
  })
).annotations({
  identifier: "SecretReference",
  description: "`env:NAME` of a variable that SERVICE_SECRETS lists"
})
export type SecretReference = typeof SecretReference.Type
