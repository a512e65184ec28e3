import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Effect, Layer, Option } from "effect"
import { Auth } from "../identity/auth/Auth.ts"
import { Denials } from "../identity/Denials.ts"
import { ExplicitCredential, ExplicitCredentialNeeded } from "../kernel/ExplicitCredential.ts"
import { callerOf } from "./Caller.ts"

/** Refuses those who were let in without a credential. A credential that is not valid is left to the authorization. */
export const layer = Layer.effect(
  ExplicitCredential,
  Effect.gen(function* () {
    const auth = yield* Auth
    const denials = yield* Denials
    return ExplicitCredential.of(
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const by = Option.getOrUndefined(yield* Effect.option(callerOf(auth, request)))
        if (by?.authMethod === "auth-disabled" || by?.authMethod === "localhost-bypass") {
          const { authMethod } = by
          const { route } = yield* HttpRouter.RouteContext
          denials.note({ by, route: `${route.method} ${route.path}`, lack: { authMethod } })
          return yield* new ExplicitCredentialNeeded({ authMethod })
        }
      })
    )
  })
)
