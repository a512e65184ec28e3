import { Effect } from "effect"
import { AuthApi } from "../identity/auth/Api.ts"
import { Client } from "./Client.ts"
import type { Failure } from "./Failure.ts"

/** The name that the board knows the caller by: what a claim writes as the assignee. */
export const ownName: Effect.Effect<string, Failure, Client> = Effect.flatMap(Client, ({ call }) =>
  Effect.map(
    call(AuthApi, ({ auth }) => auth.status()),
    // A server that is older than the field `name` gives the name of a key, and an id for everybody else.
    ({ name, tokenName, userId }) => name ?? tokenName ?? userId ?? "agent"
  )
)
