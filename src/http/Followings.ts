import { Effect, Either, Fiber, Queue, type Scope } from "effect"
import type { ActorContext } from "../kernel/Actor.ts"
import * as Outbox from "../storage/events/Outbox.ts"
import type { Asked, Events, Subscription, Topic } from "../storage/events/Subscription.ts"
import type { StorageService } from "../storage/Storage.ts"
import { streamOf } from "./Hub.ts"
import { type Incoming, refusal } from "./SocketMessages.ts"

/** How many events are read in one go. */
const pageSize = 256

/** What a connection follows by one key: a topic, or events that a fiber tells. */
type Following =
  | { readonly _tag: "Topic"; readonly topic: string; readonly until: string | undefined }
  | {
      readonly _tag: "Events"
      readonly stream: string
      readonly wake: () => void
      readonly fiber: Fiber.RuntimeFiber<void>
    }

/** What one connection follows. */
export interface Followings {
  /** Whether it follows a topic. */
  readonly hasTopic: (topic: string) => boolean
  /** Does what a message asks for, or tells why not. */
  readonly request: (request: Extract<Incoming, { _tag: "Request" }>) => Effect.Effect<void>
  /** Says that something happened in these streams, as `resource:id`. */
  readonly moved: (streams: ReadonlySet<string>) => void
}

/** Follows nothing yet. What it tells goes through `send`, one message after another; all of it ends with the scope. */
export const makeFollowings = ({
  actor,
  send,
  storage
}: {
  readonly actor: ActorContext
  readonly send: (message: object) => Effect.Effect<void>
  readonly storage: StorageService
}): Effect.Effect<Followings, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const bySubscription = new Map<Subscription, Map<string, Following>>()
    const topics = new Set<string>()

    const followedOf = (subscription: Subscription): Map<string, Following> => {
      const known = bySubscription.get(subscription)
      if (known !== undefined) return known
      const fresh = new Map<string, Following>()
      bySubscription.set(subscription, fresh)
      return fresh
    }

    const stop = (followed: Map<string, Following>, key: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const known = followed.get(key)
        followed.delete(key)
        if (known?._tag === "Topic") topics.delete(known.topic)
        return known?._tag === "Events" ? Fiber.interrupt(known.fiber) : Effect.void
      })

    const tellEvents = ({ after, stream, tell, tellGap }: Events, wakes: Queue.Dequeue<void>) =>
      Effect.gen(function* () {
        let cursor = after
        for (;;) {
          const events = yield* storage.read(Outbox.afterInStream(stream, cursor, pageSize))
          const next = events[0]?.streamSeq ?? 0
          if (tellGap !== undefined && next > cursor + 1)
            yield* send(tellGap({ from: cursor + 1, to: next - 1 }))
          for (const event of events) yield* send(tell(event))
          cursor = events.at(-1)?.streamSeq ?? cursor
          if (events.length < pageSize) yield* Queue.take(wakes)
        }
      })

    /** Confirms and begins. A topic begins first: what is told meanwhile comes behind the answer all the same. */
    const begin = (
      followed: Map<string, Following>,
      { answer, followed: what, key }: Extract<Asked, { _tag: "Follow" }>
    ): Effect.Effect<void> =>
      what._tag === "Topic"
        ? Effect.zipRight(
            Effect.sync(() => beginTopic(followed, key, what)),
            send(answer)
          )
        : Effect.gen(function* () {
            yield* stop(followed, key)
            yield* send(answer)
            const wakes = yield* Queue.sliding<void>(1)
            const fiber = yield* Effect.forkIn(tellEvents(what, wakes), scope)
            const wake = () => wakes.unsafeOffer(undefined)
            followed.set(key, { _tag: "Events", stream: streamOf(what.stream), wake, fiber })
          })

    const beginTopic = (followed: Map<string, Following>, key: string, { topic, until }: Topic) => {
      topics.add(topic)
      followed.set(key, {
        _tag: "Topic",
        topic,
        until: until === undefined ? undefined : streamOf(until)
      })
    }

    return {
      hasTopic: (topic) => topics.has(topic),

      request: ({ ask, subscription, type }) =>
        Effect.gen(function* () {
          const asked = yield* Effect.either(storage.read(ask(actor)))
          if (Either.isLeft(asked)) return yield* send(refusal(asked.left.code, asked.left.message, type))
          const followed = followedOf(subscription)
          if (asked.right._tag === "Leave") {
            yield* stop(followed, asked.right.key)
            return yield* send(asked.right.answer)
          }
          const { limit } = subscription
          if (limit !== undefined && followed.size >= limit.most && !followed.has(asked.right.key)) {
            const message = `A connection follows at most ${limit.most} ${limit.called}`
            return yield* send(refusal("LIMIT_REACHED", message, type))
          }
          yield* begin(followed, asked.right)
        }),

      moved: (streams) => {
        for (const followed of bySubscription.values()) {
          for (const [key, following] of followed) {
            if (following._tag === "Events") {
              if (streams.has(following.stream)) following.wake()
            } else if (following.until !== undefined && streams.has(following.until)) {
              followed.delete(key)
              topics.delete(following.topic)
            }
          }
        }
      }
    }
  })
