import type { ServerResponse } from "node:http"
import * as Etag from "@effect/platform/Etag"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpPlatform from "@effect/platform/HttpPlatform"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Path from "@effect/platform/Path"
import { type Cause, Context, Exit, type Fiber, Runtime, Scope } from "effect"
import { only } from "../kernel/Sight.ts"
import { type Admitted, everyAnswer } from "./Door.ts"
import { EdgeRequest } from "./EdgeRequest.ts"
import type { Guard } from "./Guard.ts"
import * as Refusal from "./Refusal.ts"
import { RequestScope } from "./RequestScope.ts"
import type { ResponseWriter } from "./ResponseWriter.ts"

/**
 * Runs the API's HTTP app for requests that passed the door. It stands in for the platform's own Node handler because
 * that one opens a scope, a span and three fibers' worth of bookkeeping for each request; here a request is one fiber
 * whose observer writes the response. What it leaves out: pre-response handlers, cookies, forms and upgrades, which
 * this API does not use.
 */
export const makeEdge = <R>(
  app: HttpApp.Default<never, R>,
  runtime: Runtime.Runtime<R>,
  guard: Guard,
  writer: ResponseWriter,
  onDefect: (cause: Cause.Cause<unknown>, requestId: string) => void
) => {
  const services = only(runtime.context, [
    HttpPlatform.HttpPlatform,
    Etag.Generator,
    FileSystem.FileSystem,
    Path.Path
  ]).unsafeMap
  return (admitted: Admitted): void => {
    const { requestId, response } = admitted
    const scope = new RequestScope()
    const context = new Map(services)
    context.set(HttpServerRequest.HttpServerRequest.key, new EdgeRequest(admitted))
    context.set(Scope.Scope.key, scope)
    const own = Runtime.make({
      context: Context.unsafeMake<R | HttpServerRequest.HttpServerRequest | Scope.Scope>(context),
      fiberRefs: runtime.fiberRefs,
      runtimeFlags: runtime.runtimeFlags
    })
    const answer = (exit: Exit.Exit<HttpServerResponse.HttpServerResponse>) => {
      if (Exit.isSuccess(exit)) return writer.soon({ admitted, answer: exit.value, scope })
      scope.end(exit)
      if (response.destroyed) return
      onDefect(exit.cause, requestId)
      Refusal.send(response, Refusal.internal(requestId), everyAnswer(requestId))
    }
    runFor(
      response,
      Runtime.runFork(own)(app),
      guard(answer, () => response.socket)
    )
  }
}

/** Hands on what becomes of the work of a request, which ends with a client that goes away. */
export const runFor = <A, E>(
  response: ServerResponse,
  work: Fiber.RuntimeFiber<A, E>,
  settled: (exit: Exit.Exit<A, E>) => void
): void => {
  response.on("close", () => {
    if (!response.writableEnded) work.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
  })
  work.addObserver(settled)
}
