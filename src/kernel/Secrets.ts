import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { holdSecrets } from "./HeldSecrets.ts"
import type { SecretReference } from "./SecretReference.ts"

/**
 * The secrets of the environment that settings may refer to: those that an operator listed in SERVICE_SECRETS. Without
 * the list, whoever may write settings could send any variable of the server to a host of their own.
 */
export class Secrets extends Context.Tag("muster/Secrets")<
  Secrets,
  { readonly find: (reference: SecretReference) => Effect.Effect<Option.Option<Redacted.Redacted>> }
>() {
  static readonly layer = (known: ReadonlyMap<string, Redacted.Redacted>) =>
    Layer.scoped(
      Secrets,
      Effect.as(holdSecrets([...known.values()]), {
        find: (reference) => Effect.succeed(Option.fromNullable(known.get(reference.slice("env:".length))))
      })
    )
}
