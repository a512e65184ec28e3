import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import { Context, Option } from "effect"
import { Authorization, ForReaders, Requires } from "./Authorization.ts"
import type { Permission } from "./Permission.ts"

/** An endpoint of a contract, as the reflection of the platform gives it. */
interface Shown {
  readonly endpoint: HttpApiEndpoint.HttpApiEndpoint<string, HttpMethod>
  readonly mergedAnnotations: Context.Context<never>
  readonly middleware: ReadonlySet<HttpApiMiddleware.TagClassAny>
}

/** The name of a route: its method and path (`GET /api/tasks/:id`). */
export const routeOf = ({ endpoint }: Pick<Shown, "endpoint">): string =>
  `${endpoint.method} ${endpoint.path}`

/**
 * The permission that a route requires. It throws for a route that would be open: one that declares no permission, or
 * is not behind the authorization middleware.
 */
export const requirementOf = (shown: Shown): Permission | "public" => {
  const required = Context.getOption(shown.mergedAnnotations, Requires)
  if (Option.isNone(required)) throw new Error(`${routeOf(shown)} declares no permission`)
  if (![...shown.middleware].some(isAuthorization)) {
    throw new Error(`${routeOf(shown)} is not behind Authorization`)
  }
  return required.value
}

/**
 * Whether a route is closed to the role read-only although the role has its permission: it is not a GET and is not
 * marked `ForReaders` (decision Q46).
 */
export const isClosedToReaders = ({
  endpoint,
  mergedAnnotations
}: Pick<Shown, "endpoint" | "mergedAnnotations">): boolean =>
  endpoint.method !== "GET" && Option.isNone(Context.getOption(mergedAnnotations, ForReaders))

/** What every route of a contract requires, by its name. */
export const requirements = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyMap<string, Permission | "public"> => {
  const table = new Map<string, Permission | "public">()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: (shown) => table.set(routeOf(shown), requirementOf(shown))
  })
  return table
}

const isAuthorization = (middleware: HttpApiMiddleware.TagClassAny): boolean =>
  middleware.key === Authorization.key
