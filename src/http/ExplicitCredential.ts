import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Effect, Layer, Option } from "effect"
import { Auth } from "../identity/auth/Auth.ts"
import { credentialsOf } from "../identity/auth/Credentials.ts"
import { ExplicitCredential, ExplicitCredentialNeeded } from "../kernel/ExplicitCredential.ts"

/** Refuses those who were let in without a credential. A credential that is not valid is left to the authorization. */
export const layer = Layer.effect(
  ExplicitCredential,
  Effect.map(Auth, (auth) =>
    ExplicitCredential.of(
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const actor = yield* Effect.option(
          auth.authenticate(
            credentialsOf(request.method, request.headers, Option.getOrUndefined(request.remoteAddress))
          )
        )
        const method = Option.getOrUndefined(actor)?.authMethod
        if (method === "auth-disabled" || method === "localhost-bypass") {
          return yield* new ExplicitCredentialNeeded({ authMethod: method })
        }
      })
    )
  )
)
