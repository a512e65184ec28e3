import { Effect, Either, Fiber, Option, Queue, type Scope } from "effect"
import type { WebSocket } from "ws"
import { chatTopic } from "../board/chat/ChatBroadcast.ts"
import { requireSession } from "../board/chat/ChatSessions.ts"
import { requireTask } from "../board/tasks/TaskChange.ts"
import { taskEvent } from "../board/tasks/TaskStream.ts"
import type { ActorContext } from "../kernel/Actor.ts"
import * as Outbox from "../storage/Outbox.ts"
import type { StorageService } from "../storage/Storage.ts"
import type { Frame, Hub } from "./Hub.ts"
import { type ClientMessage, decodeClientMessage, type ErrorMessage } from "./SocketMessages.ts"

/** How many bytes may wait in a socket before it counts as too slow. */
export const bufferLimit = 4 * 1_048_576

/** How many tasks one connection may follow. */
const subscriptionLimit = 100

/** How many chat sessions one connection may follow. */
const topicLimit = 100

/** The topic of the events of shared runs. */
export const runSessionTopic = "run-sessions"

/** How many messages of a client may wait: enough to follow all that it followed when it comes back. */
const inboxLimit = 2 * (subscriptionLimit + topicLimit)

const pageSize = 256

/** How long a client may take nothing of what is sent to it while it is waited for. */
const readingTime = "15 seconds"

/** A connection that does not keep up is closed with this; it comes back and resumes by its last sequence. */
const tooSlow = 1013

/**
 * One WebSocket connection, for the life of the scope. It hears the board live; after a `resume` it first reads what it
 * missed from storage and then goes live without a gap; the tasks that it subscribes to are followed by a cursor of
 * their own, so replay and live are the same loop and nothing comes twice.
 */
export const serve = (
  socket: WebSocket,
  options: {
    readonly actor: ActorContext
    readonly hub: typeof Hub.Service
    readonly storage: StorageService
    readonly resumeAfter: number | undefined
  }
): Effect.Effect<never, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { actor, hub, storage } = options
    const inbox = yield* Queue.bounded<ClientMessage | ErrorMessage>(inboxLimit)
    const following = new Map<
      string,
      { readonly wake: () => void; readonly fiber: Fiber.RuntimeFiber<void> }
    >()
    const topics = new Set<string>()
    const concerns = ({ topic }: Frame) => topic === undefined || topics.has(topic)
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
        socket.send(data, { binary: false }, () => resume(Effect.void))
      }).pipe(
        Effect.timeoutOption(readingTime),
        Effect.flatMap((taken) =>
          Option.isSome(taken) ? Effect.void : Effect.zipRight(Effect.sync(closeTooSlow), Effect.never)
        )
      )

    const deliver = (frames: ReadonlyArray<Frame>) => {
      if (!live) return
      for (const frame of frames) {
        const { data, sequence } = frame
        // The last page of a resume may hold what the hub was about to deliver.
        if (sequence <= seen || !concerns(frame)) continue
        if (socket.bufferedAmount > bufferLimit) return closeTooSlow()
        socket.send(data, { binary: false })
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

    const follow = (taskId: string, after: number) =>
      Effect.gen(function* () {
        const wakes = yield* Queue.sliding<void>(1)
        const stream = { resource: "task", resourceId: taskId }
        const loop = Effect.gen(function* () {
          let cursor = after
          for (;;) {
            const events = yield* storage.read(Outbox.afterInStream(stream, cursor, pageSize))
            for (const event of events) yield* send(taskEvent(event))
            cursor = events.at(-1)?.streamSeq ?? cursor
            if (events.length < pageSize) yield* Queue.take(wakes)
          }
        })
        const fiber = yield* Effect.forkScoped(loop)
        return { wake: () => wakes.unsafeOffer(undefined), fiber }
      })

    const unfollow = (taskId: string) => {
      const known = following.get(taskId)
      following.delete(taskId)
      return known === undefined ? Effect.void : Fiber.interrupt(known.fiber)
    }

    const subscribe = ({
      afterSequence = 0,
      attemptId,
      taskId
    }: Extract<ClientMessage, { type: "subscribe" }>) =>
      Effect.gen(function* () {
        const cursor = yield* Effect.either(
          storage.read(
            Effect.zipRight(requireTask(taskId), Outbox.streamHead({ resource: "task", resourceId: taskId }))
          )
        )
        if (Either.isLeft(cursor))
          return yield* send(refusal("NOT_FOUND", "There is no such task", "subscribe"))
        if (following.size >= subscriptionLimit && !following.has(taskId)) {
          const message = `A connection follows at most ${subscriptionLimit} tasks`
          return yield* send(refusal("LIMIT_REACHED", message, "subscribe"))
        }
        yield* unfollow(taskId)
        yield* send({ type: "subscribed", taskId, attemptId: attemptId ?? null, cursor: cursor.right })
        following.set(taskId, yield* follow(taskId, afterSequence))
      })

    const subscribeChat = ({ sessionId }: { readonly sessionId: string }) =>
      Effect.gen(function* () {
        const type = "chat:subscribe"
        const session = yield* Effect.either(storage.read(requireSession(sessionId)))
        if (Either.isLeft(session)) return yield* send(refusal("NOT_FOUND", "There is no such session", type))
        const topic = chatTopic(sessionId)
        if (topics.size >= topicLimit && !topics.has(topic)) {
          const message = `A connection follows at most ${topicLimit} chat sessions`
          return yield* send(refusal("LIMIT_REACHED", message, type))
        }
        topics.add(topic)
        yield* send({ type: "chat:subscribed", sessionId })
      })

    const answer = (message: ClientMessage | ErrorMessage) => {
      switch (message.type) {
        case "subscribe":
          return subscribe(message)
        case "unsubscribe":
          return Effect.zipRight(
            unfollow(message.taskId),
            send({ type: "unsubscribed", taskId: message.taskId })
          )
        case "resume":
          // What came before this answer may come again after it.
          return resume(message.afterSequence, (cursor) => send({ type: "resumed", cursor }))
        case "chat:subscribe":
          return subscribeChat(message)
        case "chat:unsubscribe":
          topics.delete(chatTopic(message.sessionId))
          return send({ type: "chat:unsubscribed", sessionId: message.sessionId })
        case "run-session:subscribe":
          topics.add(runSessionTopic)
          return send({ type: "run-session:subscribed" })
        case "ping":
          return send({ type: "pong" })
        case "error":
          return send(message)
      }
    }

    socket.on("message", (data, binary) => {
      const message = binary ? refusal("VALIDATION_ERROR", "Send JSON as text") : read(data.toString())
      if (!inbox.unsafeOffer(message)) socket.close(1008, "too many messages at once")
    })
    const mayRead = actor.permissions.has("task:read")
    if (mayRead) {
      yield* Effect.acquireRelease(
        Effect.sync(() => hub.attach({ deliver })),
        (detach) => Effect.sync(detach)
      )
    }
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        hub.onDelivery((resources) => {
          for (const [taskId, { wake }] of following) if (resources.has(`task:${taskId}`)) wake()
          // Chat sessions that were deleted; nobody is told.
          for (const topic of topics) if (resources.has(topic)) topics.delete(topic)
        })
      ),
      (detach) => Effect.sync(detach)
    )
    if (options.resumeAfter !== undefined) yield* resume(options.resumeAfter, () => Effect.void)
    return yield* Effect.forever(
      Effect.flatMap(Queue.take(inbox), (message) =>
        mayRead || message.type === "error"
          ? answer(message)
          : send(refusal("PERMISSION_DENIED", "This needs the permission task:read", message.type))
      )
    )
  })

const read = (text: string): ClientMessage | ErrorMessage =>
  Either.getOrElse(decodeClientMessage(text), () =>
    refusal(
      "VALIDATION_ERROR",
      "Expected a message of type subscribe, unsubscribe, chat:subscribe, chat:unsubscribe, run-session:subscribe, resume or ping with its fields"
    )
  )

const refusal = (code: string, message: string, requestType?: string): ErrorMessage => ({
  type: "error",
  code,
  message,
  ...(requestType === undefined ? {} : { requestType })
})
