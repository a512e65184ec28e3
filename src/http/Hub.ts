import { Context, Effect, Layer, Queue } from "effect"
import type { Audience, Broadcast } from "../storage/events/Broadcast.ts"
import * as Outbox from "../storage/events/Outbox.ts"
import type { Sql } from "../storage/Sql.ts"
import { Storage } from "../storage/Storage.ts"
import * as Wakes from "../storage/Wakes.ts"

/**
 * A message of the stream, encoded once for all who get it. `sequence` is the outbox's cursor after it; with a topic it
 * is for those who subscribed to that, with an audience for those who belong to it.
 */
export interface Frame {
  readonly sequence: number
  readonly data: Buffer
  readonly topic: string | undefined
  readonly audience: Audience | undefined
}

/** Somebody who listens to the board as it happens. */
export interface Listener {
  /** Takes frames at once, or closes itself: nobody waits for a slow listener. */
  readonly deliver: (frames: ReadonlyArray<Frame>) => void
}

/** How many events are read in one go. */
const pageSize = 256

/** How many bytes of messages end a page: what a slow reader keeps in memory is this and one message more. */
const pageBytes = 1_048_576

/** What comes after a cursor, and where that leads. */
interface Page {
  readonly frames: ReadonlyArray<Frame>
  /** The streams that something happened in, as `resource:id`. */
  readonly resources: ReadonlySet<string>
  readonly cursor: number
}

/**
 * Tells everybody who listens what was committed. The outbox is the truth, read by cursor; a commit is only the hint to
 * look. A message shows its resource as it is, so of several events of one resource in a page the last alone is told:
 * revisions come in order, and the newest always.
 */
export class Hub extends Context.Tag("muster/Hub")<
  Hub,
  {
    /** The cursor up to which live listeners have been told. */
    readonly cursor: () => number
    /** Adds a listener, which gets everything after the hub's cursor; gives the way to remove it. */
    readonly attach: (listener: Listener) => () => void
    readonly listenerCount: () => number
    /** A page of frames after a cursor, and the cursor that they lead to: for those who come back. */
    readonly page: (after: number) => Effect.Effect<Pick<Page, "frames" | "cursor">>
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

        const read = (after: number): Effect.Effect<Page> =>
          storage.read(
            Effect.gen(function* () {
              const events = yield* Outbox.after(after, pageSize)
              const newest = new Map(events.map((event) => [streamOf(event), event.seq]))
              const frames: Array<Frame> = []
              const resources = new Set<string>()
              let bytes = 0
              let cursor = after
              for (const event of events) {
                if (bytes >= pageBytes) break
                const stream = streamOf(event)
                resources.add(stream)
                cursor = event.seq
                if (newest.get(stream) !== event.seq) continue
                const frame = yield* renderFrame(renderers, event)
                if (frame === undefined) continue
                frames.push(frame)
                bytes += frame.data.length
              }
              return { frames, resources, cursor }
            })
          )

        const deliver = Effect.gen(function* () {
          for (;;) {
            if (listeners.size === 0 && wakes.size === 0) {
              cursor = yield* storage.read(Outbox.head)
              return
            }
            const page = yield* read(cursor)
            if (page.cursor === cursor) return
            cursor = page.cursor
            for (const listener of listeners) listener.deliver(page.frames)
            for (const wake of wakes) wake(page.resources)
          }
        })

        const bell = yield* Wakes.of(Outbox.anyEvent)
        yield* Queue.take(bell).pipe(
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

/** A stream as it stands among the resources of a page: `resource:id`. */
export const streamOf = ({ resource, resourceId }: Outbox.Stream): string => `${resource}:${resourceId}`

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
              audience: told.audience,
              data: Buffer.from(JSON.stringify({ ...told.message, sequence: event.seq }))
            }
      )
}
