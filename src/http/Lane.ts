import type { HttpServerResponse } from "@effect/platform"
import type { Auth } from "../identity/auth/Auth.ts"
import type { Permission } from "../kernel/Permission.ts"
import type { Admitted } from "./Door.ts"
import { writeResponse } from "./Edge.ts"

/**
 * A read that is asked for so often that it gets a lane past the router: the same service and the same response as the
 * route, without a fiber, a middleware and a schema in between. It answers nothing but the plain success of a request
 * with an API key; everything else falls through to the route, so that there is one implementation of every refusal.
 */
export interface Lane {
  /** What stands before the id in the path. */
  readonly prefix: string
  /** Words that make other routes in the place of the id: `counts` is no task, even if a task has it for an id. */
  readonly others: ReadonlySet<string>
  /** What the route requires, from the contract. */
  readonly requires: Permission
  /** The route's answer to a request that succeeds; nothing, when it does not. It must not wait. */
  readonly answer: (id: string) => HttpServerResponse.HttpServerResponse | undefined
}

const plainId = /^[A-Za-z0-9._-]{1,128}$/

/** True when a lane has answered. */
export const makeLanes =
  (auth: typeof Auth.Service, lanes: ReadonlyArray<Lane>) =>
  (admitted: Admitted): boolean => {
    const { request } = admitted
    const key = request.headers["x-api-key"]
    const url = request.url
    if (request.method !== "GET" || typeof key !== "string" || url === undefined) return false
    const lane = lanes.find(({ prefix }) => url.startsWith(prefix))
    if (lane === undefined) return false
    const id = url.slice(lane.prefix.length)
    if (!plainId.test(id) || lane.others.has(id)) return false
    if (auth.byApiKey(key)?.permissions.has(lane.requires) !== true) return false
    const answer = lane.answer(id)
    if (answer === undefined) return false
    writeResponse(admitted, answer)
    return true
  }
