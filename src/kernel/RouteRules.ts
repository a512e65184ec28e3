import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import { Context, Option } from "effect"
import { Requires } from "./Authorization.ts"
import type { Requirement } from "./Requirement.ts"
import { guardedOf, type RouteGuard } from "./RouteGuard.ts"

/** An endpoint as a walk over a contract shows it. */
interface Shown {
  readonly endpoint: HttpApiEndpoint.HttpApiEndpoint<string, HttpMethod>
  readonly mergedAnnotations: Context.Context<never>
  readonly middleware: ReadonlySet<HttpApiMiddleware.TagClassAny>
}

/** Who may use a route: the guard that stands before it, and what it asks for, if it takes principals. */
export interface Kept {
  readonly guard: RouteGuard
  readonly requirement: Requirement | undefined
}

/** The name of a route: its method and path (`GET /api/tasks/:id`). */
export const routeOf = ({ endpoint }: Pick<Shown, "endpoint">): string =>
  `${endpoint.method} ${endpoint.path}`

/**
 * Who may use a route. One that says nothing of it would be open, and so would one that does not stand behind what keeps
 * its guard; one that stands behind the keepers of another guard says less than it does. Each of them throws.
 */
export const keptOf = (shown: Shown, guards: ReadonlyArray<RouteGuard>): Kept => {
  const rule = Context.getOption(shown.mergedAnnotations, Requires)
  if (Option.isNone(rule)) throw new Error(`${routeOf(shown)} does not say who may use it`)
  const { guard: name, requirement } = guardedOf(rule.value)
  const guard = guards.find((one) => one.name === name)
  if (guard === undefined) throw new Error(`${routeOf(shown)} names the guard ${name}, which there is not`)
  if (guard.asks !== (requirement !== undefined)) {
    throw new Error(
      `${routeOf(shown)} ${guard.asks ? "requires nothing" : "requires something"} behind the guard ${name}`
    )
  }
  const standing = new Set([...shown.middleware].map(({ key }) => key))
  const own = new Set(guard.middleware.map(({ key }) => key))
  for (const key of own) {
    if (!standing.has(key)) throw new Error(`${routeOf(shown)} is not behind ${key}`)
  }
  for (const { key } of guards.flatMap(({ middleware }) => middleware)) {
    if (standing.has(key) && !own.has(key))
      throw new Error(`${routeOf(shown)} is behind ${key} without saying so`)
  }
  return { guard, requirement }
}

/** Who may use every route of a contract, by its name. */
export const routeRules = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  guards: ReadonlyArray<RouteGuard>
): ReadonlyMap<string, Kept> => {
  const rules = new Map<string, Kept>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: (shown) => rules.set(routeOf(shown), keptOf(shown, guards))
  })
  return rules
}
