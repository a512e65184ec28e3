import { Clock, Deferred, Duration, Effect, Queue, Redacted, Ref, Runtime, type Scope } from "effect"
import { WebSocket } from "ws"
import { codeOf, pinned } from "../../kernel/outbound/Call.ts"
import type { OutboundService, Route } from "../../kernel/outbound/Outbound.ts"
import { failureOfOutbound, reasonOfCode, reasonOfStatus, reasonOfText, retryAfterOf } from "./Answers.ts"
import { type Frame, frameOf } from "./Frame.ts"
import { kinds } from "./NostrEvent.ts"
import { type Connection, type Heard, RelayFailure, type Session } from "./RelayClient.ts"

/** How long each step may take: the look-up of the name, the handshake, the challenge, and the answer to it. */
const patience = Duration.seconds(10)

/** A relay of the family sends frames of half a megabyte; twice as much is room for others. */
const largestFrame = 1_048_576

/** How much may wait to be taken: beyond either bound, events are dropped and found again by a query. */
const waitingFrames = 5_000
const waitingBytes = 16 * 1_048_576

const pingEvery = Duration.seconds(30)

/** Why an open socket ended: the relay went away, or it sent what no socket takes. */
const lossOf = (error: Error | undefined): RelayFailure => {
  const code = error === undefined ? "" : codeOf(error)
  if (code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") return new RelayFailure({ reason: "response_too_large" })
  return new RelayFailure({ reason: code.startsWith("WS_ERR") ? "relay_error" : "socket_lost" })
}

/**
 * A socket to a relay that has authenticated (NIP-42). Its reader may be slow: the socket is always emptied, and what
 * finds no room is dropped and reported as missing. An unanswered ping ends it.
 */
export const openSocket = (
  outbound: OutboundService,
  connection: Connection
): Effect.Effect<Session, RelayFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const route = yield* inTime(
      Effect.mapError(outbound.route(connection.http, connection.allow), failureOfOutbound)
    )
    const socket = yield* dial(connection, route)
    // The challenge may come with the handshake's last bytes: somebody must listen before the socket is open.
    const inbox = yield* openInbox(socket)
    yield* inTime(opened(socket))
    const send = (frame: ReadonlyArray<unknown>) =>
      Effect.sync(() => {
        if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
      })
    yield* authenticate(connection, inbox.handshake, send)
    yield* Effect.forkScoped(keepAlive(socket))
    return {
      next: inbox.next,
      subscribe: (subscription, filter) => send(["REQ", subscription, filter]),
      unsubscribe: (subscription) => send(["CLOSE", subscription])
    }
  })

/** The library's own deadline for a handshake begins again with each byte that drips in. */
const inTime = <A, R>(step: Effect.Effect<A, RelayFailure, R>): Effect.Effect<A, RelayFailure, R> =>
  Effect.timeoutFail(step, {
    duration: patience,
    onTimeout: () => new RelayFailure({ reason: "relay_timeout" })
  })

const dial = (
  { webSocket }: Connection,
  { addresses }: Route
): Effect.Effect<WebSocket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = new WebSocket(webSocket, {
        lookup: pinned(addresses),
        followRedirects: false,
        maxPayload: largestFrame,
        perMessageDeflate: false,
        headers: { "user-agent": "muster" }
      })
      // An error is followed by a close, which ends the session.
      socket.on("error", () => undefined)
      return socket
    }),
    (socket) => Effect.sync(() => socket.terminate())
  )

const opened = (socket: WebSocket): Effect.Effect<void, RelayFailure> =>
  Effect.async((resume) => {
    const fail = (reason: RelayFailure["reason"]) => resume(new RelayFailure({ reason }))
    socket.once("open", () => resume(Effect.void))
    socket.once("unexpected-response", (_, { statusCode = 0 }) => fail(reasonOfStatus(statusCode)))
    socket.once("error", (error) => fail(reasonOfCode(codeOf(error))))
    socket.once("close", () => fail("relay_unreachable"))
  })

interface Inbox {
  /** What belongs to the handshake: the challenge, and the answer to the authentication. */
  readonly handshake: Effect.Effect<Frame, RelayFailure>
  readonly next: Effect.Effect<Heard, RelayFailure>
}

const openInbox = (socket: WebSocket): Effect.Effect<Inbox, never, Scope.Scope> =>
  Effect.gen(function* () {
    const heard = yield* Queue.unbounded<{ readonly heard: Heard; readonly bytes: number }>()
    const handshake = yield* Queue.sliding<Frame>(16)
    const ended = yield* Deferred.make<never, RelayFailure>()
    const waiting = yield* Ref.make({ frames: 0, bytes: 0, overflowed: false })
    const run = Runtime.runSync(yield* Effect.runtime())

    const keep = (frame: Heard, bytes: number) =>
      Effect.gen(function* () {
        const before = yield* Ref.get(waiting)
        const full = before.frames >= waitingFrames || before.bytes + bytes > waitingBytes
        if (frame._tag === "Event" && full) {
          if (!before.overflowed) yield* Queue.offer(heard, { heard: { _tag: "Overflowed" }, bytes: 0 })
          return yield* Ref.set(waiting, { ...before, overflowed: true })
        }
        // Only events can be found again: a relay that sends so much else is disconnected.
        if (before.frames >= 2 * waitingFrames)
          return yield* Deferred.fail(ended, new RelayFailure({ reason: "relay_error" }))
        yield* Ref.set(waiting, { frames: before.frames + 1, bytes: before.bytes + bytes, overflowed: false })
        yield* Queue.offer(heard, { heard: frame, bytes })
      })

    const receive = (text: string, bytes: number): Effect.Effect<unknown> => {
      const frame = frameOf(text)
      switch (frame._tag) {
        case "Challenge":
        case "Ok":
          return Queue.offer(handshake, frame)
        case "Event":
        case "EndOfStored":
          return keep(frame, bytes)
        case "Closed": {
          const retryAfterMs = retryAfterOf(frame.text)
          return keep(
            {
              _tag: "Closed",
              subscription: frame.subscription,
              failure: new RelayFailure({
                reason: reasonOfText(frame.text) ?? "subscription_closed",
                ...(retryAfterMs === undefined ? {} : { retryAfterMs })
              })
            },
            bytes
          )
        }
        case "Other":
          return Effect.void
      }
    }

    socket.on("message", (data) => {
      const bytes = Buffer.isBuffer(data)
        ? data
        : Array.isArray(data)
          ? Buffer.concat(data)
          : Buffer.from(data)
      run(receive(bytes.toString("utf8"), bytes.length))
    })
    let fault: Error | undefined
    socket.on("error", (error) => {
      fault = error
    })
    socket.on("close", () => run(Deferred.fail(ended, lossOf(fault))))

    return {
      handshake: Effect.raceFirst(Queue.take(handshake), Deferred.await(ended)),
      next: Effect.raceFirst(Queue.take(heard), Deferred.await(ended)).pipe(
        Effect.tap(({ bytes }) =>
          Ref.update(waiting, (now) => ({
            ...now,
            frames: Math.max(0, now.frames - 1),
            bytes: Math.max(0, now.bytes - bytes)
          }))
        ),
        Effect.map(({ heard: frame }) => frame)
      )
    }
  })

/** Answers the relay's challenge. One refusal spoils the socket: the caller opens another one. */
const authenticate = (
  { attestation, identity, webSocket }: Connection,
  handshake: Inbox["handshake"],
  send: (frame: ReadonlyArray<unknown>) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const { challenge } = yield* awaitFrame(
      handshake,
      (frame) => (frame._tag === "Challenge" ? frame : undefined),
      "authentication_missing"
    )
    if (challenge === undefined) return yield* new RelayFailure({ reason: "relay_error" })
    const event = identity.sign({
      kind: kinds.relayAuth,
      created_at: Math.floor((yield* Clock.currentTimeMillis) / 1_000),
      content: "",
      tags: [
        ["relay", webSocket],
        ["challenge", challenge],
        ...(attestation === undefined ? [] : [Redacted.value(attestation.tag)])
      ]
    })
    yield* send(["AUTH", event])
    const answer = yield* awaitFrame(
      handshake,
      (frame) => (frame._tag === "Ok" && frame.id === event.id ? frame : undefined),
      "relay_timeout"
    )
    if (answer.accepted === undefined) return yield* new RelayFailure({ reason: "relay_error" })
    if (!answer.accepted)
      return yield* new RelayFailure({ reason: reasonOfText(answer.text) ?? "authentication_rejected" })
  })

/** The next frame that `pick` takes; others are ignored. */
const awaitFrame = <A>(
  handshake: Inbox["handshake"],
  pick: (frame: Frame) => A | undefined,
  reason: RelayFailure["reason"]
): Effect.Effect<A, RelayFailure> =>
  Effect.repeat(Effect.map(handshake, pick), { until: (picked) => picked !== undefined }).pipe(
    Effect.timeoutFail({ duration: patience, onTimeout: () => new RelayFailure({ reason }) })
  )

const keepAlive = (socket: WebSocket) =>
  Effect.gen(function* () {
    const answered = yield* Ref.make(true)
    const run = Runtime.runSync(yield* Effect.runtime())
    socket.on("pong", () => run(Ref.set(answered, true)))
    return yield* Effect.forever(
      Effect.gen(function* () {
        yield* Effect.sleep(pingEvery)
        if (!(yield* Ref.getAndSet(answered, false))) return yield* Effect.sync(() => socket.terminate())
        yield* Effect.sync(() => {
          if (socket.readyState === WebSocket.OPEN) socket.ping()
        })
      })
    )
  })
