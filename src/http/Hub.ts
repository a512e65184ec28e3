import { Context, Effect, Layer, Queue } from "effect"
import type { Broadcast } from "../storage/Broadcast.ts"
import * as Outbox from "../storage/Outbox.ts"
import type { Sql } from "../storage/Sql.ts"
import { Storage } from "../storage/Storage.ts"

/**
 * A message of the stream, encoded once for all who get it. `sequence` is the outbox's cursor after it; with a topic it
 * is for those who subscribed to that.
 */
export interface Frame {
  readonly sequence: number
  readonly data: Buffer
  readonly topic: string | undefined
}

/** Somebody who listens to the board as it happens. */
export interface Listener {
  /** Takes frames at once, or closes itself: nobody waits for a slow listener. */
  readonly deliver: (frames: ReadonlyArray<Frame>) => void
}

/** How many events are read and rendered in one go. */
const pageSize = 256

/**
 * Tells everybody who listens what was committed. The outbox is the truth, read by cursor; a commit is only the hint to
 * look. Each event is rendered once.
 */
export class Hub extends Context.Tag("muster/Hub")<
  Hub,
  {
    /** The cursor up to which live listeners have been told. */
    readonly cursor: () => number
    /** Adds a listener, which gets everything after the hub's cursor; gives the way to remove it. */
    readonly attach: (listener: Listener) => () => void
    readonly listenerCount: () => number
    /** The frames after a cursor, and the cursor that they lead to: for those who come back. */
    readonly page: (
      after: number
    ) => Effect.Effect<{ readonly frames: ReadonlyArray<Frame>; readonly cursor: number }>
    /** Wakes on every delivery: for those who follow one resource by its own cursor. */
    readonly onDelivery: (wake: (resources: ReadonlySet<string>) => void) => () => void
  }
>() {
  static readonly layer = (broadcasts: ReadonlyArray<Broadcast>) =>
    Layer.scoped(
      Hub,
      Effect.gen(function* () {
        const storage = yield* Storage
        const renderers = new Map(broadcasts.map((broadcast) => [broadcast.resource, broadcast]))
        const listeners = new Set<Listener>()
        const wakes = new Set<(resources: ReadonlySet<string>) => void>()
        let cursor = yield* storage.read(Outbox.head)

        const read = (after: number) =>
          storage.read(
            Effect.gen(function* () {
              const events = yield* Outbox.after(after, pageSize)
              const frames: Array<Frame> = []
              for (const event of events) {
                const frame = yield* renderFrame(renderers, event)
                if (frame !== undefined) frames.push(frame)
              }
              return { events, frames, cursor: events.at(-1)?.seq ?? after }
            })
          )

        const deliver = Effect.gen(function* () {
          for (;;) {
            if (listeners.size === 0 && wakes.size === 0) {
              cursor = yield* storage.read(Outbox.head)
              return
            }
            const page = yield* read(cursor)
            if (page.events.length === 0) return
            cursor = page.cursor
            for (const listener of listeners) listener.deliver(page.frames)
            const resources = new Set(
              page.events.map(({ resource, resourceId }) => `${resource}:${resourceId}`)
            )
            for (const wake of wakes) wake(resources)
          }
        })

        const commits = yield* Queue.sliding<void>(1)
        yield* storage.onCommit(() => commits.unsafeOffer(undefined))
        yield* Queue.take(commits).pipe(
          Effect.zipRight(deliver),
          Effect.catchAllCause((cause) =>
            Effect.logError("The live stream failed to deliver an event", cause)
          ),
          Effect.forever,
          Effect.forkScoped
        )

        return Hub.of({
          cursor: () => cursor,
          attach: (listener) => {
            listeners.add(listener)
            return () => listeners.delete(listener)
          },
          listenerCount: () => listeners.size,
          page: read,
          onDelivery: (wake) => {
            wakes.add(wake)
            return () => wakes.delete(wake)
          }
        })
      })
    )
}

const renderFrame = (
  renderers: ReadonlyMap<string, Broadcast>,
  event: Outbox.OutboxEvent
): Effect.Effect<Frame | undefined, never, Sql> => {
  const renderer = renderers.get(event.resource)
  return renderer === undefined
    ? Effect.as(Effect.void, undefined)
    : Effect.map(renderer.render(event), (told) =>
        told === undefined
          ? undefined
          : {
              sequence: event.seq,
              topic: told.topic,
              data: Buffer.from(JSON.stringify({ ...told.message, sequence: event.seq }))
            }
      )
}
