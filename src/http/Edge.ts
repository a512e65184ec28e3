import type { ServerResponse } from "node:http"
import { Readable } from "node:stream"
import * as Etag from "@effect/platform/Etag"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpPlatform from "@effect/platform/HttpPlatform"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Path from "@effect/platform/Path"
import {
  type Cause,
  Context,
  Effect,
  ExecutionStrategy,
  Exit,
  type Fiber,
  Runtime,
  Scope,
  Stream
} from "effect"
import { only } from "../kernel/Seeing.ts"
import { type Admitted, everyAnswer } from "./Door.ts"
import { EdgeRequest } from "./EdgeRequest.ts"
import type { Guard } from "./Guard.ts"
import * as Refusal from "./Refusal.ts"

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
      if (Exit.isSuccess(exit)) return writeResponse(admitted, exit.value, scope)
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

/** How long a reader may take nothing of an answer that waits for it, in milliseconds. */
const stallLimit = 30_000

/** Writes a response; the scope of its request ends with it. */
export const writeResponse = (
  { request, requestId, response }: Admitted,
  answer: HttpServerResponse.HttpServerResponse,
  scope = new RequestScope()
): void => {
  if (response.destroyed) return scope.end(Exit.void)
  const { body } = answer
  response.writeHead(answer.status, { ...everyAnswer(requestId), ...answer.headers })
  if (request.method === "HEAD") {
    response.end()
    return scope.end(Exit.void)
  }
  switch (body._tag) {
    case "Raw":
      response.end(typeof body.body === "string" || body.body instanceof Uint8Array ? body.body : undefined)
      cutStalled(response)
      return scope.end(Exit.void)
    case "Uint8Array":
      response.end(body.body)
      cutStalled(response)
      return scope.end(Exit.void)
    case "Stream":
      return pipe(response, body.stream, scope)
    default:
      response.end()
      return scope.end(Exit.void)
  }
}

/** Ends a connection whose reader stands still with the rest of an answer. */
const cutStalled = (response: ServerResponse): void => {
  if (response.writableLength > 0) response.setTimeout(stallLimit)
}

/** Streams with back-pressure; a failure after the headers cuts the connection, so that no one takes half for whole. */
const pipe = (
  response: ServerResponse,
  stream: Stream.Stream<Uint8Array, unknown>,
  scope: RequestScope
): void => {
  response.setTimeout(stallLimit)
  response.on("error", () => response.destroy())
  Readable.fromWeb(Stream.toReadableStream(stream) as Parameters<typeof Readable.fromWeb>[0])
    .on("error", () => response.destroy())
    .pipe(response)
    .on("close", () => scope.end(Exit.void))
}

/** A scope that costs nothing until somebody uses it: hardly any request does. */
class RequestScope implements Scope.Scope {
  readonly [Scope.ScopeTypeId]: Scope.ScopeTypeId = Scope.ScopeTypeId
  readonly strategy = ExecutionStrategy.sequential
  private real: Scope.CloseableScope | undefined

  private open(): Scope.CloseableScope {
    this.real ??= Effect.runSync(Scope.make())
    return this.real
  }

  fork(strategy: ExecutionStrategy.ExecutionStrategy) {
    return Scope.fork(this.open(), strategy)
  }

  addFinalizer(finalizer: Scope.Scope.Finalizer) {
    return Scope.addFinalizerExit(this.open(), finalizer)
  }

  pipe(): Scope.Scope {
    return this
  }

  end(exit: Exit.Exit<unknown, unknown>): void {
    if (this.real !== undefined) Effect.runFork(Scope.close(this.real, exit))
  }
}
