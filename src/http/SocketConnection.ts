import { Effect, Option, Queue, type Scope } from "effect"
import type { WebSocket } from "ws"
import type { ActorContext } from "../kernel/Actor.ts"
import * as Outbox from "../storage/events/Outbox.ts"
import type { StorageService } from "../storage/Storage.ts"
import { makeFollowings } from "./Followings.ts"
import type { Frame, Hub } from "./Hub.ts"
import { type ClientMessages, type Incoming, refusal } from "./SocketMessages.ts"

/** How many bytes may wait in a socket before it counts as too slow. */
export const bufferLimit = 4 * 1_048_576

/** How long a client may take nothing of what is sent to it while it is waited for. */
const readingTime = "15 seconds"

/** A connection that does not keep up is closed with this; it comes back and resumes by its last sequence. */
const tooSlow = 1013

const asText = { binary: false }

/**
 * One WebSocket connection, for the life of the scope. It hears the board live; after a `resume` it first reads what it
 * missed from storage and then goes live without a gap. What it follows besides, the rooms declare.
 */
export const serve = (
  socket: WebSocket,
  options: {
    readonly actor: ActorContext
    readonly hub: typeof Hub.Service
    readonly storage: StorageService
    readonly messages: ClientMessages
    readonly resumeAfter: number | undefined
  }
): Effect.Effect<never, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { actor, hub, messages, storage } = options
    const inbox = yield* Queue.bounded<Incoming>(messages.inboxLimit)
    let live = options.resumeAfter === undefined
    let seen = 0

    const closeTooSlow = () => socket.close(tooSlow, "too slow: resume by sequence")

    /**
     * Sends and waits until the system has taken it: this is the back-pressure of replays and answers. Nobody is waited
     * for without an end.
     */
    const send = (message: Buffer | object): Effect.Effect<void> =>
      Effect.async<void>((resume) => {
        const data = Buffer.isBuffer(message) ? message : JSON.stringify(message)
        socket.send(data, asText, () => resume(Effect.void))
      }).pipe(
        Effect.timeoutOption(readingTime),
        Effect.flatMap((taken) =>
          Option.isSome(taken) ? Effect.void : Effect.zipRight(Effect.sync(closeTooSlow), Effect.never)
        )
      )

    const followings = yield* makeFollowings({ actor, send, storage })

    const concerns = ({ audience, topic }: Frame) =>
      (topic === undefined || followings.hasTopic(topic)) && (audience === undefined || audience(actor))

    const deliver = (frames: ReadonlyArray<Frame>) => {
      if (!live) return
      for (const frame of frames) {
        const { data, sequence } = frame
        // The last page of a resume may hold what the hub was about to deliver.
        if (sequence <= seen || !concerns(frame)) continue
        if (socket.bufferedAmount > bufferLimit) return closeTooSlow()
        socket.send(data, asText)
        seen = sequence
      }
    }

    const resume = (after: number, confirm: (cursor: number) => Effect.Effect<void>): Effect.Effect<void> =>
      Effect.gen(function* () {
        live = false
        const head = yield* storage.read(Outbox.head)
        yield* confirm(head)
        // A client that knew the board before it was restored may have seen more than there is.
        seen = Math.min(after, head)
        for (;;) {
          const page = yield* hub.page(seen)
          for (const frame of page.frames) if (concerns(frame)) yield* send(frame.data)
          seen = page.cursor
          // From here on the hub delivers everything after its own cursor, which this page has reached.
          if (seen >= hub.cursor()) break
        }
        live = true
      })

    const mayRead = actor.permissions.has("task:read")

    const answer = (incoming: Incoming): Effect.Effect<void> => {
      if (incoming._tag === "Unreadable") return send(incoming.error)
      if (!mayRead)
        return send(refusal("PERMISSION_DENIED", "This needs the permission task:read", incoming.type))
      switch (incoming._tag) {
        case "Resume":
          // What came before this answer may come again after it.
          return resume(incoming.afterSequence, (cursor) => send({ type: "resumed", cursor }))
        case "Ping":
          return send({ type: "pong" })
        case "Request":
          return followings.request(incoming)
      }
    }

    socket.on("message", (data, binary) => {
      const incoming: Incoming = binary ? noText : messages.read(data.toString())
      if (!inbox.unsafeOffer(incoming)) socket.close(1008, "too many messages at once")
    })
    if (mayRead) {
      yield* Effect.acquireRelease(
        Effect.sync(() => hub.attach({ deliver })),
        (detach) => Effect.sync(detach)
      )
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => hub.onDelivery(followings.moved)),
      (detach) => Effect.sync(detach)
    )
    if (options.resumeAfter !== undefined) yield* resume(options.resumeAfter, () => Effect.void)
    return yield* Effect.forever(Effect.flatMap(Queue.take(inbox), answer))
  })

const noText: Incoming = {
  _tag: "Unreadable",
  error: refusal("VALIDATION_ERROR", "Send JSON as text")
}
