import { Config, Effect } from "effect"
import type { SecretReference } from "./SecretReference.ts"

/**
 * Whether a variable that nobody may use as a secret is set all the same: then SERVICE_SECRETS does not list it, and that
 * is what is to be told. Its value is not used.
 */
export const isUnlisted = (reference: SecretReference): Effect.Effect<boolean> =>
  Config.string(reference.slice("env:".length)).pipe(
    Effect.map((value) => value !== ""),
    Effect.orElseSucceed(() => false)
  )
