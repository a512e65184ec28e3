import { Context, Effect, Layer, Option, type Redacted } from "effect"
import type { Issue } from "./Failures.ts"
import { holdSecrets } from "./HeldSecrets.ts"
import { placeOf } from "./outbound/Target.ts"
import type { SecretReference } from "./SecretReference.ts"
import { isUrl } from "./UrlSyntax.ts"

/** Who wants a secret, and where it goes. */
export interface SecretUse {
  readonly for: "relay-adapter" | "request"
  /** The URL that it is sent to, or that it speaks at; undefined while there is none. */
  readonly url: string | undefined
}

/** The variables of a relay's identity. A key that signs for the board is nothing that a request carries somewhere. */
export const relaySecrets: ReadonlyArray<string> = ["RELAY_PRIVATE_KEY", "RELAY_AUTH_TAG"]

/** The places that a secret is bound to, by the name of its variable: hosts, with their port if it is one of their own. */
export type SecretPlaces = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * The secrets of the environment that settings may refer to: those that an operator listed in SERVICE_SECRETS. Without
 * the list, whoever may write settings could send any variable of the server to a host of their own. A secret that is
 * bound to places goes nowhere else (ruling 109).
 */
export interface SecretsService {
  /** The secret, unless there is none, or it may not be used like this. */
  readonly find: (
    reference: SecretReference,
    use: SecretUse
  ) => Effect.Effect<Option.Option<Redacted.Redacted>>
  /** Why a secret may not be used like this, for whoever names it; undefined when nothing speaks against it. */
  readonly refusal: (reference: SecretReference, use: SecretUse) => string | undefined
  /** Whether the variable is set, listed or not: of a secret that is not found, the operator is told which of the two. */
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
