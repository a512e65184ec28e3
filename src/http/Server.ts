import type { AddressInfo } from "node:net"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpRouter from "@effect/platform/HttpRouter"
import { Cause, Context, Data, Effect, Layer, Runtime } from "effect"
import { Auth } from "../identity/auth/Auth.ts"
import { Storage } from "../storage/Storage.ts"
import { ContractTables } from "./ContractTables.ts"
import { makeDoor } from "./Door.ts"
import { makeEdge } from "./Edge.ts"
import { makeAnswerFailure } from "./Failures.ts"
import { makeGuard } from "./Guard.ts"
import type { Access } from "./HostGuard.ts"
import { type Lane, makeLanes, plainRuntime } from "./Lane.ts"
import { NodeServer } from "./NodeServer.ts"
import { makeResponseWriter } from "./ResponseWriter.ts"

/** Ids are as long as their rooms allow, up to what a request line holds; the router would stop at 100 characters. */
const router = { maxParamLength: 16_384 }

/** Answers requests: the door, then a lane or the API's app. */
export const layerRequests = <R>(access: Access, lanes: Effect.Effect<ReadonlyArray<Lane>, never, R>) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const app = yield* HttpRouter.withRouterConfig(HttpApiBuilder.httpApp, router)
      const server = yield* NodeServer
      const runtime = yield* Effect.runtime<HttpRouter.HttpRouter.DefaultServices>()
      const runFork = Runtime.runFork(runtime)
      const guard = yield* makeGuard
      const writer = makeResponseWriter(guard)
      const edge = makeEdge(app, runtime, guard, writer, (cause, requestId) =>
        runFork(Effect.annotateLogs(Effect.logError("A request died", Cause.pretty(cause)), { requestId }))
      )
      const takenByLane = makeLanes(yield* Auth, yield* lanes, {
        answerFailure: yield* makeAnswerFailure,
        guard,
        route: edge,
        runtime: yield* plainRuntime,
        submit: (yield* Storage).submit,
        writer
      })
      const { takesLines } = yield* ContractTables
      const door = makeDoor({ access, guard, takesLines }, (admitted) => {
        if (!takenByLane(admitted)) edge(admitted)
      })
      const guarded = guard(door, (request) => request.socket)
      yield* Effect.acquireRelease(
        Effect.sync(() => server.on("request", guarded)),
        () => Effect.sync(() => server.off("request", guarded))
      )
    })
  ).pipe(Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer]))

/** The port can't be had. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{
  readonly host: string
  readonly port: number
  readonly reason: string
}> {
  override get message() {
    const remedy =
      this.reason === "EADDRINUSE"
        ? "another program listens there. Stop it, or choose another port with SERVICE_PORT"
        : `the system says ${this.reason}. Choose another address with SERVICE_HOST and SERVICE_PORT`
    return `Can't listen on ${this.host} port ${this.port}: ${remedy}.`
  }
}

/** A host as a URL names it. `localhost` leads to 127.0.0.1 everywhere, and to `::1` on some machines alone. */
export const shownHost = (host: string): string => {
  if (host === "127.0.0.1") return "localhost"
  return host.includes(":") ? `[${host}]` : host
}

/** Where the server listens. */
export class ServerAddress extends Context.Tag("muster/ServerAddress")<
  ServerAddress,
  { readonly host: string; readonly port: number; readonly baseUrl: string }
>() {
  /** Opens the port, once everything that answers is in place. Port 0 takes a free one. */
  static readonly layer = (options: { readonly host: string; readonly port: number }) =>
    Layer.scoped(
      ServerAddress,
      Effect.gen(function* () {
        const server = yield* NodeServer
        yield* Effect.async<void, ListenFailed>((resume) => {
          const failed = (error: NodeJS.ErrnoException) =>
            resume(Effect.fail(new ListenFailed({ ...options, reason: error.code ?? error.message })))
          server.once("error", failed)
          server.listen(options.port, options.host, () => {
            server.off("error", failed)
            resume(Effect.void)
          })
        })
        const { port } = server.address() as AddressInfo
        return { host: options.host, port, baseUrl: `http://${shownHost(options.host)}:${port}` }
      })
    )
}
