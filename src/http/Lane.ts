import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Cause, Context, Effect, Exit, Option, Runtime } from "effect"
import type { Auth } from "../identity/auth/Auth.ts"
import type { ActorContext } from "../kernel/Actor.ts"
import type { Admits } from "../kernel/Requirement.ts"
import type { Sql } from "../storage/Sql.ts"
import type { StorageService } from "../storage/Storage.ts"
import type { Admitted } from "./Door.ts"
import type { AnswerFailure } from "./Failures.ts"
import type { Guard } from "./Guard.ts"
import type { Refusals } from "./Refusals.ts"
import type { ResponseWriter } from "./ResponseWriter.ts"
import { perTurn } from "./Turn.ts"

/**
 * A request that is made so often that it gets a lane past the router: the same service and the same response as the
 * route, without a middleware and a router in between. It takes plain requests with an API key alone; everything else
 * goes to the route.
 */
export type Lane = ReadingLane | WritingLane

/**
 * A read. It answers a plain success alone, so that there is one implementation of every refusal. The reads of one turn
 * of the event loop are one run: starting a run takes longer than most reads.
 */
export interface ReadingLane {
  readonly method: "GET"
  /** Whether the route is for somebody, by the contract. */
  readonly admits: Admits
  /** The work of a plain request: the URL is one of the lane's. It must not wait. */
  readonly work: (
    url: string
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, { readonly _tag: string }> | undefined
}

/**
 * A write. It happens once, so the lane answers with what the route declares that it can fail with, too. Its unit goes to
 * storage as it is: no fiber waits for the commit, and the answers of a group leave together.
 */
export interface WritingLane {
  readonly method: "PATCH"
  readonly admits: Admits
  /** What a plain request writes: the URL is one of the lane's, and the schemas of the route take it. */
  readonly unit: (
    admitted: Admitted,
    by: ActorContext
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, { readonly _tag: string }, Sql> | undefined
  readonly refusals: Refusals
}

/** The runtime of lanes: a service has what it needs, so nothing is in sight that would be copied on every request. */
export const plainRuntime: Effect.Effect<Runtime.Runtime<never>> = Effect.map(
  Effect.runtime<never>(),
  ({ fiberRefs, runtimeFlags }) => Runtime.make({ context: Context.empty(), fiberRefs, runtimeFlags })
)

/** A read that waits for the end of its turn. */
interface Reading {
  readonly admitted: Admitted
  readonly work: Effect.Effect<HttpServerResponse.HttpServerResponse, { readonly _tag: string }>
}

/** True when a lane has taken a request; the route gets all others, and the reads that fail. */
export const makeLanes = (
  auth: typeof Auth.Service,
  lanes: ReadonlyArray<Lane>,
  {
    answerFailure,
    guard,
    route,
    runtime,
    submit,
    writer
  }: {
    /** Answers what the work of a write dies of, as the route would: to run it again could do it twice. */
    readonly answerFailure: AnswerFailure
    readonly guard: Guard
    readonly route: (admitted: Admitted) => void
    readonly runtime: Runtime.Runtime<never>
    readonly submit: StorageService["submit"]
    readonly writer: ResponseWriter
  }
) => {
  const runSync = Runtime.runSyncExit(runtime)

  const write = (lane: WritingLane, admitted: Admitted, by: ActorContext): boolean => {
    const unit = lane.unit(admitted, by)
    if (unit === undefined) return false
    const { requestId, response } = admitted
    const settled = (
      exit: Exit.Exit<HttpServerResponse.HttpServerResponse, { readonly _tag: string }>
    ): void => {
      if (Exit.isSuccess(exit)) return writer.now({ admitted, answer: exit.value })
      if (response.destroyed) return
      const { cause } = exit
      const refusal = lane.refusals(Option.getOrUndefined(Cause.failureOption(cause)))
      writer.now({ admitted, answer: refusal ?? answerFailure(cause, requestId) })
    }
    const takeBack = submit(
      unit,
      guard(settled, () => response.socket)
    )
    response.on("close", () => {
      if (!response.writableEnded) takeBack()
    })
    return true
  }

  const routed = guard(route, ({ response }) => response.socket)

  const answerTogether = perTurn<Reading>((readings) => {
    const exit = runSync(Effect.forEach(readings, ({ work }) => Effect.orElseSucceed(work, () => undefined)))
    const answers = Exit.isSuccess(exit) ? exit.value : []
    readings.forEach(({ admitted }, index) => {
      const answer = answers[index]
      if (answer === undefined) routed(admitted)
      else writer.now({ admitted, answer })
    })
  })

  const read = (lane: ReadingLane, admitted: Admitted, url: string): boolean => {
    const work = lane.work(url)
    if (work === undefined) return false
    answerTogether({ admitted, work })
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
