import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { Effect, ExecutionStrategy, Exit, Layer, Runtime, Schedule, Scope } from "effect"
import { type WebSocket, WebSocketServer } from "ws"
import { Auth } from "../identity/auth/Auth.ts"
import { type Credentials, credentialsOf } from "../identity/principals/Credentials.ts"
import { Principals } from "../identity/principals/Principals.ts"
import type { ActorContext } from "../kernel/Actor.ts"
import { LiveConnections } from "../kernel/LiveConnections.ts"
import { isTokenOf } from "../kernel/Token.ts"
import type { Subscription } from "../storage/events/Subscription.ts"
import { Storage } from "../storage/Storage.ts"
import { makeGuard } from "./Guard.ts"
import { type Access, admit } from "./HostGuard.ts"
import { Hub } from "./Hub.ts"
import { NodeServer } from "./NodeServer.ts"
import { ignoreUpgrade, isWebSocket } from "./OtherUpgrade.ts"
import { answerAndEnd } from "./RawAnswer.ts"
import * as Refusal from "./Refusal.ts"
import { originForm, takeApart } from "./RequestTarget.ts"
import { serve } from "./SocketConnection.ts"
import { clientMessages } from "./SocketMessages.ts"

/** The largest message that a client may send. */
const messageLimit = 65_536

/** How many connections the server holds. */
const connectionLimit = 5_000

/** How often a connection must show that somebody is there. */
const pingInterval = "30 seconds"

const goingAway = 1001

/** The credential of the connection does not count any more, or not as it did. */
const revoked = 4401

/**
 * The WebSocket at `/ws` (spec 1-core, Events), on the `ws` library itself: the platform's socket knows no
 * back-pressure. Host, Origin and credential are checked before the upgrade; the key may stand in the query, and is
 * never logged.
 */
export const layer = (access: Access, subscriptions: ReadonlyArray<Subscription>) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const server = yield* NodeServer
      const auth = yield* Auth
      const principals = yield* Principals
      const hub = yield* Hub
      const storage = yield* Storage
      const messages = clientMessages(subscriptions)
      const runtime = yield* Effect.runtime<never>()
      const scope = yield* Effect.scope
      const sockets = new WebSocketServer({
        noServer: true,
        maxPayload: messageLimit,
        perMessageDeflate: false,
        clientTracking: true
      })
      yield* (yield* LiveConnections).countBy(() => sockets.clients.size)
      const alive = new WeakSet<WebSocket>()
      const admitted = new WeakMap<WebSocket, { readonly given: Credentials; readonly rights: string }>()

      /** Closes what somebody may no longer hear: their credential was revoked, has expired, or lost permissions. */
      const recheck = () => {
        for (const socket of sockets.clients) {
          const known = admitted.get(socket)
          if (known === undefined) continue
          const actor = Runtime.runSyncExit(runtime)(auth.authenticate(known.given))
          if (Exit.isFailure(actor) || rightsOf(actor.value) !== known.rights) {
            socket.close(revoked, "the credential of this connection has changed")
          }
        }
      }

      const open = (socket: WebSocket, actor: ActorContext, resumeAfter: number | undefined) => {
        alive.add(socket)
        socket.on("pong", () => alive.add(socket))
        // Without a listener an oversized frame would end the process; `ws` closes the socket by itself.
        socket.on("error", () => {})
        const connection = Effect.gen(function* () {
          const own = yield* Scope.fork(scope, ExecutionStrategy.sequential)
          const fiber = yield* serve(socket, { actor, hub, storage, messages, resumeAfter }).pipe(
            Effect.catchAllCause((cause) =>
              Effect.zipRight(
                Effect.logError("A WebSocket connection failed", cause),
                Effect.sync(() => socket.close(1011, "internal error"))
              )
            ),
            Scope.extend(own),
            Effect.forkIn(own)
          )
          yield* Effect.sync(() =>
            socket.on("close", () => Runtime.runFork(runtime)(Scope.close(own, Exit.void)))
          )
          return fiber
        })
        Runtime.runFork(runtime)(connection)
      }

      const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        socket.on("error", () => socket.destroy())
        if (!isWebSocket(request)) return ignoreUpgrade(server, request, socket, head)
        const refuse = (refusal: Refusal.Refusal) => answerAndEnd(socket, refusal)
        const admission = admit(request, access)
        if (admission._tag === "Refuse") return refuse(Refusal.foreign(admission.reason))
        const target = originForm(request.url ?? "/", request.headers.host)
        if (target === undefined) return refuse(Refusal.otherAuthority)
        const { path, query } = takeApart(target)
        if (path !== "/ws") return refuse(notFound)
        if (sockets.clients.size >= connectionLimit) return refuse(full)
        const parameters = new URLSearchParams(query)
        const credentials = credentialsOf(request.method, request.headers, request.socket.remoteAddress)
        const queryKey = parameters.get("api_key")
        const given =
          credentials.apiKey === undefined && credentials.authorization === undefined && queryKey !== null
            ? { ...credentials, ...fromQuery(queryKey) }
            : credentials
        const actor = Runtime.runSyncExit(runtime)(auth.authenticate(given))
        if (Exit.isFailure(actor)) return refuse(unauthorized)
        const after = parameters.get("afterSequence")
        if (after !== null && !/^\d{1,15}$/.test(after)) return refuse(noSequence)
        const resumeAfter = after === null ? undefined : Number(after)
        sockets.handleUpgrade(request, socket, head, (opened) => {
          admitted.set(opened, { given, rights: rightsOf(actor.value) })
          open(opened, actor.value, resumeAfter)
        })
      }
      const guard = yield* makeGuard
      const guarded = guard(upgrade, (_, socket) => socket)

      const ping = () => {
        for (const socket of sockets.clients) {
          if (!alive.delete(socket)) socket.terminate()
          else socket.ping()
        }
        recheck()
      }

      yield* Effect.acquireRelease(
        Effect.sync(() => server.on("upgrade", guarded)),
        () =>
          Effect.sync(() => {
            server.off("upgrade", guarded)
            for (const socket of sockets.clients) socket.close(goingAway, "the server is stopping")
          })
      )
      yield* Effect.acquireRelease(
        Effect.sync(() => principals.onChange(recheck)),
        (stop) => Effect.sync(stop)
      )
      yield* Effect.forkScoped(Effect.schedule(Effect.sync(ping), Schedule.spaced(pingInterval)))
    })
  )

/**
 * The credential of a client that can't send headers, as no page in a browser can: an API key, or the token of a paired
 * device, which would otherwise never hear the board.
 */
const fromQuery = (secret: string): Pick<Credentials, "apiKey" | "authorization"> =>
  isTokenOf("device", secret) ? { authorization: `Bearer ${secret}` } : { apiKey: secret }

/** What a connection may hear hangs on this; when it changes, the connection is opened again. */
const rightsOf = ({ permissions, userId }: ActorContext): string => [userId, ...permissions].join(" ")

const notFound: Refusal.Refusal = {
  status: 404,
  body: { error: "The WebSocket is at /ws", code: "NOT_FOUND" }
}

const full: Refusal.Refusal = {
  status: 503,
  body: { error: "The server holds as many connections as it can", code: "TOO_MANY_CONNECTIONS" }
}

const noSequence: Refusal.Refusal = Refusal.invalid([
  { path: "afterSequence", message: "Expected the sequence of a message, a whole number" }
])

const unauthorized: Refusal.Refusal = {
  status: 401,
  body: {
    error: "The WebSocket needs a credential: X-API-Key, or api_key in the query",
    code: "UNAUTHORIZED"
  }
}
