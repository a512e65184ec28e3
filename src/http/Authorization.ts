import { Effect, Layer } from "effect"
import { Auth, orAnonymous } from "../identity/auth/Auth.ts"
import { Denials } from "../identity/Denials.ts"
import { Authorization, deniedTo, lackOf } from "../kernel/Authorization.ts"
import { onArrival } from "./Arrival.ts"
import { callerOf, isCalledFromHere } from "./Caller.ts"
import { ContractTables } from "./ContractTables.ts"

/** One synchronous step for each request: who is it, what does the route require, may they. */
export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const auth = yield* Auth
    const denials = yield* Denials
    return onArrival(yield* ContractTables, ({ facts: { asked }, request, route }) => {
      const actor = callerOf(auth, request)
      if (asked === undefined) return orAnonymous(actor)
      const { admits, isAdministrative, requirement } = asked
      return Effect.filterOrFail(
        actor,
        (by) => admits(by, () => isCalledFromHere(request)),
        (by) => {
          if (isAdministrative) denials.note({ by, route, lack: lackOf(requirement) })
          return deniedTo(by, requirement)
        }
      )
    })
  })
)
