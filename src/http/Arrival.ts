import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Context, Effect } from "effect"
import type { ContractTables, RouteFacts } from "./ContractTables.ts"
import { EdgeRequest } from "./EdgeRequest.ts"
import * as UnknownParameters from "./UnknownParameters.ts"

/** A request that has found its route, before anybody knows who sends it. */
export interface Arrival {
  readonly request: HttpServerRequest.HttpServerRequest
  /** The name of the route. */
  readonly route: string
  readonly facts: RouteFacts
}

/**
 * Receives requests for a guard: notes on each which route it has found, and tells what names of its query the route does
 * not know. All in one step, as it is taken for every request that no lane takes.
 */
export const onArrival = <A, E>(
  { routes }: typeof ContractTables.Service,
  decide: (arrival: Arrival) => Effect.Effect<A, E>
): Effect.Effect<A, E, HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext> =>
  Effect.withFiberRuntime((fiber) => {
    const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
    const { route } = Context.unsafeGet(fiber.currentContext, HttpRouter.RouteContext)
    const name = `${route.method} ${route.path}`
    const facts = routes.get(name)
    if (facts === undefined) return Effect.dieMessage(`${name} is not in the contract`)
    if (request instanceof EdgeRequest) request.route = name
    UnknownParameters.tell(request, facts.parameters)
    return decide({ request, route: name, facts })
  })
