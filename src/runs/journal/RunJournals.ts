import { Context, Deferred, Effect, Exit, FiberId, Layer, type Scope } from "effect"
import { Blobs } from "../../storage/blobs/Blobs.ts"
import * as Log from "../../storage/Log.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { compose, write } from "./Chapter.ts"
import { JournalNotOpen } from "./Errors.ts"
import * as JournalRepo from "./JournalRepo.ts"
import type { RunFact } from "./Payload.ts"
import { streamOf } from "./RunStream.ts"
import { sharedTurn } from "./Turn.ts"

/** A fact, and what it brings about. */
export interface Told extends RunFact {
  /** What the unit does that stores the fact: it is done once, whenever the server dies. */
  readonly also?: Effect.Effect<void, never, Sql>
}

/** The journals of runs, as those who start and supervise them write them. */
export interface RunJournalsService {
  /**
   * Appends facts to the journal of an attempt, and gives the sequence of the last of them after the commit. They stand in
   * the order in which they were handed in, however many hand some in at once. Who waits is held up while the disk does not
   * keep up; who is interrupted has said them all the same.
   */
  readonly append: (attemptId: string, facts: ReadonlyArray<Told>) => Effect.Effect<number, JournalNotOpen>
  /**
   * Hears the facts of all attempts for the life of the scope, in their order, as they are handed in: before they are
   * stored, and whether or not they will be. Every agent waits for the listener, so it only takes note.
   */
  readonly listen: (listener: Listener) => Effect.Effect<void, never, Scope.Scope>
}

/** Somebody who takes note of what runs say. */
export type Listener = (attemptId: string, facts: ReadonlyArray<RunFact>) => void

/** How many facts a unit writes at the most: of several journals, many such units may be one transaction. */
const chapterLimit = 64

/**
 * How many milliseconds of a turn of the event loop go into what all journals store next. One would let agents say a
 * quarter more, and people who write beside them get through two thirds instead of four fifths of what they do alone.
 */
const composingMs = 0.4

/** A fact that waits, and whoever wants to know when it is stored. */
interface Waiting {
  readonly fact: Told
  readonly stored?: Deferred.Deferred<number, JournalNotOpen>
}

/** Tells those who wait for facts of a chapter what came of it: the sequence of theirs. */
const tell = (chapter: ReadonlyArray<Waiting>, exit: Exit.Exit<number, JournalNotOpen>) =>
  Effect.forEach(
    chapter,
    ({ stored }, index) =>
      stored === undefined
        ? Effect.void
        : Deferred.done(
            stored,
            Exit.map(exit, (last) => last - (chapter.length - 1 - index))
          ),
    { discard: true }
  )

export class RunJournals extends Context.Tag("muster/RunJournals")<RunJournals, RunJournalsService>() {
  static readonly layer = Layer.scoped(
    RunJournals,
    Effect.gen(function* () {
      const storage = yield* Storage
      const blobs = yield* Blobs
      const scope = yield* Effect.scope
      const timeToCompose = sharedTurn(composingMs)
      /** What waits, by attempt: a fiber works on each. */
      const queues = new Map<string, Array<Waiting>>()
      const listeners = new Set<Listener>()

      const store = (attemptId: string, facts: ReadonlyArray<Told>) =>
        Effect.scoped(
          Effect.gen(function* () {
            const journal = yield* storage.read(JournalRepo.find(attemptId))
            if (journal === undefined) return yield* new JournalNotOpen({ attemptId })
            yield* timeToCompose
            const chapter = yield* compose(blobs, journal, facts)
            const effects = facts.flatMap(({ also }) => also ?? [])
            return yield* storage.write(
              effects.length === 0
                ? write(chapter)
                : Effect.zipLeft(write(chapter), Effect.all(effects, { discard: true }))
            )
          })
        )

      /** Stores all that waits for an attempt, chapter by chapter: what comes meanwhile is the next one. */
      const drain = (attemptId: string, queue: Array<Waiting>) =>
        Effect.gen(function* () {
          for (;;) {
            const chapter = queue.splice(0, chapterLimit)
            if (chapter.length === 0) {
              queues.delete(attemptId)
              return
            }
            const facts = chapter.map(({ fact }) => fact)
            yield* store(attemptId, facts).pipe(
              Effect.onExit((exit) => tell(chapter, exit)),
              Effect.exit
            )
          }
        }).pipe(Effect.onInterrupt(() => tell(queue.splice(0), Exit.interrupt(FiberId.none))))

      return RunJournals.of({
        listen: Effect.fn("RunJournals.listen")((listener) =>
          Effect.acquireRelease(
            Effect.sync(() => listeners.add(listener)),
            () => Effect.sync(() => listeners.delete(listener))
          )
        ),
        append: Effect.fn("RunJournals.append")(function* (attemptId, facts) {
          if (facts.length === 0) return yield* storage.read(Log.headOf(streamOf(attemptId)))
          for (const listener of listeners) listener(attemptId, facts)
          const stored = yield* Deferred.make<number, JournalNotOpen>()
          const last = facts.length - 1
          const waiting = facts.map((fact, index): Waiting => (index === last ? { fact, stored } : { fact }))
          const known = queues.get(attemptId)
          if (known === undefined) {
            queues.set(attemptId, waiting)
            yield* Effect.forkIn(drain(attemptId, waiting), scope)
          } else for (const one of waiting) known.push(one)
          return yield* Deferred.await(stored)
        })
      })
    })
  )
}
