import { Effect, Redacted, Ref } from "effect"
import { type ClientService, makeClient } from "../client/Client.ts"
import { type Connection, connection } from "../client/Connection.ts"

/**
 * The board as the calls of a tool server reach it. Where it is and whose key counts is read for each call: a server of
 * the board that starts later writes its key later, and a key may change. The client is made anew when they did.
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
