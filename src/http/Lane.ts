import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
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
  /** What the route requires, from the contract. */
  readonly requires: Permission
  /** The route's answer, when it is plain: the URL is one of the lane's, and the request succeeds. It must not wait. */
  readonly answer: (url: string) => HttpServerResponse.HttpServerResponse | undefined
}

/** True when a lane has answered. */
export const makeLanes =
  (auth: typeof Auth.Service, lanes: ReadonlyArray<Lane>) =>
  (admitted: Admitted): boolean => {
    const { request } = admitted
    const key = request.headers["x-api-key"]
    const url = request.url
    if (request.method !== "GET" || typeof key !== "string" || url?.startsWith("/api/tasks") !== true)
      return false
    const actor = auth.byApiKey(key)
    if (actor === undefined) return false
    for (const lane of lanes) {
      const answer = actor.permissions.has(lane.requires) ? lane.answer(url) : undefined
      if (answer === undefined) continue
      writeResponse(admitted, answer)
      return true
    }
    return false
  }
