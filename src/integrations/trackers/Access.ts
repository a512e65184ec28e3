import { Effect, Option } from "effect"
import type { SecretsService, SecretUse } from "../../kernel/Secrets.ts"
import { singleton } from "../../storage/Singleton.ts"
import type { Sql } from "../../storage/Sql.ts"
import { addressOf, Connection, type TrackerConnection } from "./Connection.ts"
import { type Access, CallFailed } from "./Driver.ts"
import { TrackerUnavailable } from "./Errors.ts"
import type { TrackerProvider } from "./profiles/Provider.ts"
import { TrackerSchema } from "./profiles/TrackerSchema.ts"

/** The connection of the board to its tracker. */
export const storedConnection = singleton("tracker-connection", Connection)

/** The latest schema of that tracker. */
export const storedSchema = singleton("tracker-schema", TrackerSchema)

type FindSecret = SecretsService["find"]

/** The use that the credential of a connection is asked for. */
export const useOf = (connection: Parameters<typeof addressOf>[0]): SecretUse => ({
  for: "request",
  url: addressOf(connection)
})

/** The connection as it is shown: with whether its credential is available, never with the credential. */
export const shown = (
  found: Connection | undefined,
  findSecret: FindSecret
): Effect.Effect<TrackerConnection> =>
  found === undefined
    ? Effect.succeed({ configured: false, enabled: false, credentialAvailable: false })
    : Effect.map(
        found.credentialRef === undefined
          ? Effect.succeedNone
          : findSecret(found.credentialRef, useOf(found)),
        (secret) => ({ configured: true, ...found, credentialAvailable: Option.isSome(secret) })
      )

/**
 * Where and with which credential a project of a tracker is reached. The sample tracker needs no connection, but a
 * connection to it can switch it off.
 */
export const accessTo = (
  provider: TrackerProvider,
  project: string,
  findSecret: FindSecret
): Effect.Effect<Access, TrackerUnavailable, Sql> =>
  Effect.gen(function* () {
    const refuse = (reason: string) =>
      refusal(provider, new CallFailed({ reason, retryable: false, mayHaveArrived: false }))
    const found = yield* storedConnection.read
    if (found?.provider !== provider) {
      return provider === "local"
        ? { baseUrl: "", project, credential: Option.none() }
        : yield* refuse("connection-missing")
    }
    if (!found.enabled) return yield* refuse("connection-disabled")
    const baseUrl = addressOf(found) ?? ""
    if (found.credentialRef === undefined) return { baseUrl, project, credential: Option.none() }
    const credential = yield* findSecret(found.credentialRef, useOf(found))
    return Option.isNone(credential) ? yield* refuse("credential-not-set") : { baseUrl, project, credential }
  })

/** The error that the caller gets for a failed call. */
export const refusal = (
  provider: TrackerProvider,
  { mayHaveArrived, reason, retryable, retryAfterMs }: CallFailed
): TrackerUnavailable =>
  new TrackerUnavailable({
    provider,
    reason,
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
    outcome: mayHaveArrived ? "unknown" : "nothing-done"
  })
