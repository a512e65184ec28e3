import type * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import { type Context, Effect, Layer } from "effect"
import { bearerOf } from "../identity/principals/Credentials.ts"
import { headerText } from "../kernel/Locality.ts"
import { onArrival } from "./Arrival.ts"
import { ContractTables } from "./ContractTables.ts"

/**
 * Keeps a guard whose credential stands for a piece of work and for nobody: a handle, sent as a bearer. The room that
 * hands such handles out finds them, and says what one that it does not know is answered. Nothing else of a request is
 * looked at: a handle is no principal, and what principals send opens nothing here.
 */
export const layer = <Id, Provided, E, R>(
  guard: Context.Tag<Id, HttpApiMiddleware.HttpApiMiddleware<Provided, E>>,
  finding: Effect.Effect<(handle: string | undefined) => Effect.Effect<Provided, E>, never, R>
): Layer.Layer<Id, never, R | ContractTables> =>
  Layer.effect(
    guard,
    Effect.gen(function* () {
      const find = yield* finding
      return onArrival(yield* ContractTables, ({ request: { headers } }) => {
        const given = headerText(headers, "authorization")
        return find(given === undefined ? undefined : bearerOf(given))
      })
    })
  )
