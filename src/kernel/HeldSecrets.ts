import { Effect, Redacted, type Scope } from "effect"
import { holdBack } from "./Redaction.ts"

/**
 * Keeps secrets that this process was given out of every text, by their value, as long as the scope is open: keys and
 * credentials of an operator's own making have no shape that would tell.
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
