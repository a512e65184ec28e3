import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Context, Effect, Layer } from "effect"
import { Auth, orAnonymous } from "../identity/auth/Auth.ts"
import { Denials, isAdministrative } from "../identity/Denials.ts"
import { Authorization, deniedTo } from "../kernel/Authorization.ts"
import { callerOf } from "./Caller.ts"
import { ContractTables } from "./ContractTables.ts"
import { EdgeRequest } from "./EdgeRequest.ts"
import * as UnknownParameters from "./UnknownParameters.ts"

/** One synchronous step for each request: who is it, what does the route require, may they. */
export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const auth = yield* Auth
    const denials = yield* Denials
    const { routes } = yield* ContractTables
    return Authorization.of(
      Effect.withFiberRuntime((fiber) => {
        const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
        const { route } = Context.unsafeGet(fiber.currentContext, HttpRouter.RouteContext)
        const name = `${route.method} ${route.path}`
        const facts = routes.get(name)
        if (facts === undefined) return Effect.dieMessage(`${name} is not in the contract`)
        const { isClosedToReaders, parameters, requires: required } = facts
        if (request instanceof EdgeRequest) request.route = name
        UnknownParameters.tell(request, parameters)
        const actor = callerOf(auth, request)
        if (required === "public") return orAnonymous(actor)
        return Effect.filterOrFail(
          actor,
          (by) => by.permissions.has(required) && (by.role !== "read-only" || !isClosedToReaders),
          (by) => {
            if (isAdministrative(required))
              denials.note({ by, route: name, lack: { requiredPermission: required } })
            return deniedTo(by, required)
          }
        )
      })
    )
  })
)
