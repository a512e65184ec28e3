import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Cause, Context, Effect, Exit, Option, Runtime } from "effect"
import type { Auth } from "../identity/auth/Auth.ts"
import type { ActorContext } from "../kernel/Actor.ts"
import type { Admits } from "../kernel/Requirement.ts"
import type { Admitted } from "./Door.ts"
import { runFor, writeResponse } from "./Edge.ts"
import type { AnswerFailure } from "./Failures.ts"
import type { Guard } from "./Guard.ts"
import type { Refusals } from "./Refusals.ts"

/**
 * A request that is made so often that it gets a lane past the router: the same service and the same response as the
 * route, without a middleware and a router in between. It takes plain requests with an API key alone; everything else
 * goes to the route.
 */
export type Lane = ReadingLane | WritingLane

/** A read. It answers a plain success alone, so that there is one implementation of every refusal. */
export interface ReadingLane {
  readonly method: "GET"
  /** Whether the route is for somebody, by the contract. */
  readonly admits: Admits
  /** The route's answer, when it is plain: the URL is one of the lane's, and the request succeeds. It must not wait. */
  readonly answer: (url: string) => HttpServerResponse.HttpServerResponse | undefined
}

/** A write. It happens once, so the lane answers with what the route declares that it can fail with, too. */
export interface WritingLane {
  readonly method: "PATCH"
  readonly admits: Admits
  /** The work of a plain request: the URL is one of the lane's, and the schemas of the route take it. */
  readonly work: (
    admitted: Admitted,
    by: ActorContext
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, { readonly _tag: string }> | undefined
  readonly refusals: Refusals
}

/** The runtime of lanes: a service has what it needs, so nothing is in sight that would be copied on every request. */
export const plainRuntime: Effect.Effect<Runtime.Runtime<never>> = Effect.map(
  Effect.runtime<never>(),
  ({ fiberRefs, runtimeFlags }) => Runtime.make({ context: Context.empty(), fiberRefs, runtimeFlags })
)

/** True when a lane has taken a request; the route gets all others. */
export const makeLanes = (
  auth: typeof Auth.Service,
  lanes: ReadonlyArray<Lane>,
  {
    answerFailure,
    guard,
    runtime
  }: {
    /** Answers what the work of a write dies of, as the route would: to run it again could do it twice. */
    readonly answerFailure: AnswerFailure
    readonly guard: Guard
    readonly runtime: Runtime.Runtime<never>
  }
) => {
  const runFork = Runtime.runFork(runtime)

  const write = (lane: WritingLane, admitted: Admitted, by: ActorContext): boolean => {
    const work = lane.work(admitted, by)
    if (work === undefined) return false
    const { requestId, response } = admitted
    const settled = (
      exit: Exit.Exit<HttpServerResponse.HttpServerResponse, { readonly _tag: string }>
    ): void => {
      if (Exit.isSuccess(exit)) return writeResponse(admitted, exit.value)
      if (response.destroyed) return
      const { cause } = exit
      const refusal = lane.refusals(Option.getOrUndefined(Cause.failureOption(cause)))
      writeResponse(admitted, refusal ?? answerFailure(cause, requestId))
    }
    runFor(
      response,
      runFork(work),
      guard(settled, () => response.socket)
    )
    return true
  }

  const read = (lane: ReadingLane, admitted: Admitted, url: string): boolean => {
    const answer = lane.answer(url)
    if (answer === undefined) return false
    writeResponse(admitted, answer)
    return true
  }

  return (admitted: Admitted): boolean => {
    const { headers, method, url } = admitted.request
    const key = headers["x-api-key"]
    if (typeof key !== "string" || url?.startsWith("/api/tasks") !== true) return false
    if (method !== "GET" && method !== "PATCH") return false
    const actor = auth.byApiKey(key)
    if (actor === undefined) return false
    return lanes.some(
      (lane) =>
        lane.method === method &&
        lane.admits(actor) &&
        (lane.method === "GET" ? read(lane, admitted, url) : write(lane, admitted, actor))
    )
  }
}
