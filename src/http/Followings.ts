import { Effect, Either, Fiber, Queue, type Scope } from "effect"
import type { ActorContext } from "../kernel/Actor.ts"
import * as Outbox from "../storage/events/Outbox.ts"
import type { Asked, Events, Pages, Subscription, Topic } from "../storage/events/Subscription.ts"
import { Storage, type StorageService } from "../storage/Storage.ts"
import * as Wakes from "../storage/Wakes.ts"
import { streamOf } from "./Hub.ts"
import { type Incoming, refusal } from "./SocketMessages.ts"

/** How many events are read in one go. */
const pageSize = 256

/** What a connection follows by one key: topics, and what fibers tell by cursor. */
interface Following {
  readonly topics: ReadonlyArray<{ readonly topic: string; readonly until: string | undefined }>
  readonly events: ReadonlyArray<{ readonly stream: string; readonly wake: () => void }>
  readonly fibers: ReadonlyArray<Fiber.RuntimeFiber<void>>
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
        if (known === undefined) return Effect.void
        for (const { topic } of known.topics) topics.delete(topic)
        return Effect.asVoid(Fiber.interruptAll(known.fibers))
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

    /** Tells what there is of pages that wait for the same streams, and gives the first that waits for others. */
    const tellPages = (first: Pages): Effect.Effect<Pages> =>
      Effect.scoped(
        Effect.gen(function* () {
          const bell = yield* Effect.provideService(Wakes.of(...first.streams), Storage, storage)
          let pages = first
          while (pages.streams === first.streams) {
            const page = yield* storage.read(pages.read)
            if (page === undefined) yield* Queue.take(bell)
            else {
              for (const message of page.messages) yield* send(message)
              pages = page.next
            }
          }
          return pages
        })
      )

    const tellAllPages = (first: Pages): Effect.Effect<void> =>
      Effect.iterate(first, { while: () => true, body: tellPages })

    /** Confirms and begins. A topic begins first: what is told meanwhile comes behind the answer all the same. */
    const begin = (
      followed: Map<string, Following>,
      { answer, followed: all, key }: Extract<Asked, { _tag: "Follow" }>
    ): Effect.Effect<void> =>
      Effect.gen(function* () {
        yield* stop(followed, key)
        const fibers: Array<Fiber.RuntimeFiber<void>> = []
        const events: Array<Following["events"][number]> = []
        const told = all.filter((one): one is Topic => one._tag === "Topic")
        for (const { topic } of told) topics.add(topic)
        followed.set(key, { topics: told.map(topicOf), events, fibers })
        yield* send(answer)
        for (const one of all) {
          if (one._tag === "Events") {
            const wakes = yield* Queue.sliding<void>(1)
            events.push({ stream: streamOf(one.stream), wake: () => wakes.unsafeOffer(undefined) })
            fibers.push(yield* Effect.forkIn(tellEvents(one, wakes), scope))
          } else if (one._tag === "Pages") fibers.push(yield* Effect.forkIn(tellAllPages(one), scope))
        }
      })

    const topicOf = ({ topic, until }: Topic): Following["topics"][number] => ({
      topic,
      until: until === undefined ? undefined : streamOf(until)
    })

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
          for (const [key, { events, topics: told }] of followed) {
            for (const { stream, wake } of events) if (streams.has(stream)) wake()
            if (told.some(({ until }) => until !== undefined && streams.has(until))) {
              followed.delete(key)
              for (const { topic } of told) topics.delete(topic)
            }
          }
        }
      }
    }
  })
