import { Effect, Option } from "effect"
import { Client } from "../../client/Client.ts"
import { type Failure, Misused } from "../../client/Failure.ts"
import type { RelayAdapter } from "../../conversations/adapters/Adapter.ts"
import { CommunicationApi } from "../../conversations/communication/Api.ts"

/** The relays that are configured, by their ids. */
export const relays: Effect.Effect<ReadonlyArray<RelayAdapter>, Failure, Client> = Effect.flatMap(
  Client,
  ({ call }) =>
    Effect.map(
      call(CommunicationApi, ({ communication }) => communication.adapters()),
      (all) => all.flatMap((adapter) => (adapter.kind === "relay" ? [adapter] : []))
    )
)

/** The id of the relay that a command is for: the named one, or the only one. */
export const chosen = (named: Option.Option<string>): Effect.Effect<string, Failure, Client> =>
  Option.match(named, {
    onSome: Effect.succeed,
    onNone: () =>
      Effect.flatMap(relays, (all) => {
        const [only, another] = all
        if (only === undefined) {
          return new Misused({
            reason: "No relay is configured",
            remedy: "PUT /api/integrations/communication/adapters/ID makes one: /docs has its fields"
          })
        }
        return another === undefined
          ? Effect.succeed(only.id)
          : new Misused({
              reason: `There are ${all.length} relays: ${all.map(({ id }) => id).join(", ")}`,
              remedy: "Say which one with --adapter ID"
            })
      })
  })
