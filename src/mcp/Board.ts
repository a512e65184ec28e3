import { Effect, Redacted, Ref } from "effect"
import { type ClientService, makeClient } from "../client/Client.ts"
import { type Connection, connection } from "../client/Connection.ts"

/**
 * The board as the calls of a tool server reach it. The address and the key are read for each call: the server may
 * start later and write its key only then, and a key may change. A new client is made when they have changed.
 */
export const makeBoard = Effect.map(Ref.make<ClientService | undefined>(undefined), (last) =>
  Effect.gen(function* () {
    const settings = yield* connection
    const known = yield* Ref.get(last)
    if (known !== undefined && isSame(known.settings, settings)) return known
    const client = yield* makeClient(settings)
    yield* Ref.set(last, client)
    return client
  })
)

const isSame = (one: Connection, other: Connection): boolean =>
  one.url === other.url && keyOf(one) === keyOf(other)

const keyOf = ({ key }: Connection): string | undefined =>
  key === undefined ? undefined : Redacted.value(key)
