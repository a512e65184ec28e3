import { HttpApi, type HttpApiMiddleware, HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Layer, Option } from "effect"
import { Api } from "../Api.ts"
import { Auth, orAnonymous } from "../identity/auth/Auth.ts"
import { Authorization, PermissionDenied, Requires } from "../kernel/Authorization.ts"
import type { Permission } from "../kernel/Permission.ts"
import { credentialsOf } from "./Credentials.ts"

/**
 * What every route of the contract requires, by method and path. A route that declares no permission, or that does not
 * stand behind the authorization middleware, would be open: it stops the start.
 */
export const requirements = (): ReadonlyMap<string, Permission | "public"> => {
  const table = new Map<string, Permission | "public">()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations, middleware }) => {
      const route = `${endpoint.method} ${endpoint.path}`
      const required = Context.getOption(mergedAnnotations, Requires)
      if (Option.isNone(required)) throw new Error(`${route} declares no permission`)
      if (![...middleware].some(isAuthorization)) throw new Error(`${route} is not behind Authorization`)
      table.set(route, required.value)
    }
  })
  return table
}

const isAuthorization = (middleware: HttpApiMiddleware.TagClassAny): boolean =>
  middleware.key === Authorization.key

/** One synchronous step for each request: who is it, what does the route require, may they. */
export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const auth = yield* Auth
    const table = yield* Effect.sync(requirements)
    return Authorization.of(
      Effect.withFiberRuntime((fiber) => {
        const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
        const { route } = Context.unsafeGet(fiber.currentContext, HttpRouter.RouteContext)
        const required = table.get(`${route.method} ${route.path}`)
        if (required === undefined)
          return Effect.dieMessage(`${route.method} ${route.path} has no requirement`)
        const actor = auth.authenticate(
          credentialsOf(request.headers, Option.getOrUndefined(request.remoteAddress))
        )
        if (required === "public") return orAnonymous(actor)
        return Effect.filterOrFail(
          actor,
          (by) => by.permissions.has(required),
          (by) => new PermissionDenied({ requiredPermission: required, role: by.role })
        )
      })
    )
  })
)
