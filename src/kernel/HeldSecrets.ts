import { Effect, Redacted, type Scope } from "effect"
import { holdBack } from "./Redaction.ts"

/**
 * Has the secrets that this process was given taken out of every text, by their value, as long as the scope is open: a
 * key that an operator made up has no shape by which it could be recognized.
 */
export const holdSecrets = (
  secrets: ReadonlyArray<Redacted.Redacted>
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => holdBack(secrets.map(Redacted.value))),
      (release) => Effect.sync(release)
    )
  )
