import { Context, Effect, Layer, Option, type Redacted } from "effect"
import type { Issue } from "./Failures.ts"
import { holdSecrets } from "./HeldSecrets.ts"
import { placeOf } from "./outbound/Target.ts"
import type { SecretReference } from "./SecretReference.ts"
import { isUrl } from "./UrlSyntax.ts"

/** Who wants a secret, and where it goes. */
export interface SecretUse {
  readonly for: "relay-adapter" | "request"
  /** The URL that it is sent to, or for which it signs; undefined while there is none. */
  readonly url: string | undefined
}

/** The variables of a relay's identity. A key that signs for the board is never sent anywhere. */
export const relaySecrets: ReadonlyArray<string> = ["RELAY_PRIVATE_KEY", "RELAY_AUTH_TAG"]

/** The hosts that a secret is bound to, by the name of its variable; with a port unless it is the scheme's default. */
export type SecretPlaces = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * The secrets of the environment that settings may refer to: those that an operator listed in SERVICE_SECRETS. Without
 * the list, whoever may write settings could send any variable of the server to a host of their own. A secret that is
 * bound to places goes nowhere else (ruling 109).
 */
export interface SecretsService {
  /** The secret; none when SERVICE_SECRETS does not list it, or when it may not be used like this. */
  readonly find: (
    reference: SecretReference,
    use: SecretUse
  ) => Effect.Effect<Option.Option<Redacted.Redacted>>
  /** Why a secret may not be used like this, told to whoever names it; undefined when it may. */
  readonly refusal: (reference: SecretReference, use: SecretUse) => string | undefined
  /** Whether the variable is set, listed or not: it tells a secret that is missing from one that is only not listed. */
  readonly isSet: (reference: SecretReference) => boolean
}

export class Secrets extends Context.Tag("muster/Secrets")<Secrets, SecretsService>() {
  static readonly layer = (
    known: ReadonlyMap<string, Redacted.Redacted>,
    places: SecretPlaces = new Map(),
    variables: ReadonlySet<string> = new Set()
  ) => {
    const refusal = (reference: SecretReference, use: SecretUse) => refusalOf(nameOf(reference), use, places)
    return Layer.scoped(
      Secrets,
      Effect.as(holdSecrets([...known.values()]), {
        refusal,
        isSet: (reference) => known.has(nameOf(reference)) || variables.has(nameOf(reference)),
        find: (reference, use) =>
          Effect.succeed(
            refusal(reference, use) === undefined
              ? Option.fromNullable(known.get(nameOf(reference)))
              : Option.none()
          )
      })
    )
  }
}

/** What is wrong with naming a secret for a use, at the field that names it. */
export const secretIssues = (
  { refusal }: SecretsService,
  path: string,
  reference: SecretReference | null | undefined,
  use: SecretUse
): ReadonlyArray<Issue> => {
  const message = reference === undefined || reference === null ? undefined : refusal(reference, use)
  return message === undefined ? [] : [{ path, message }]
}

const nameOf = (reference: SecretReference): string => reference.slice("env:".length)

const refusalOf = (name: string, use: SecretUse, places: SecretPlaces): string | undefined => {
  if (use.for !== "relay-adapter" && relaySecrets.includes(name))
    return `Expected another variable: ${name} serves relay adapters alone`
  const bound = places.get(name)
  if (bound === undefined || use.url === undefined) return undefined
  return isUrl(use.url) && bound.includes(placeOf(new URL(use.url)))
    ? undefined
    : `Expected another variable: SERVICE_SECRETS binds ${name} to ${bound.join(", ")}`
}
