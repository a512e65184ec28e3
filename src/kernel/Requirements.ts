import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import { Context, Option } from "effect"
import { Authorization, ForReaders, Requires } from "./Authorization.ts"
import type { Permission } from "./Permission.ts"

/**
 * What every route of a contract requires, by method and path (`GET /api/tasks/:id`). A route that declares no
 * permission, or that does not stand behind the authorization middleware, would be open: it throws.
 */
export const requirements = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyMap<string, Permission | "public"> => {
  const table = new Map<string, Permission | "public">()
  HttpApi.reflect(api, {
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

/**
 * The routes that are not for the role read-only although it has their permission: all that is no GET and does not say of
 * itself that it is for readers (decision Q46).
 */
export const closedToReaders = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlySet<string> => {
  const closed = new Set<string>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const open = Context.getOption(mergedAnnotations, ForReaders)
      if (endpoint.method !== "GET" && Option.isNone(open)) closed.add(`${endpoint.method} ${endpoint.path}`)
    }
  })
  return closed
}

const isAuthorization = (middleware: HttpApiMiddleware.TagClassAny): boolean =>
  middleware.key === Authorization.key
