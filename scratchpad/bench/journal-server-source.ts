// A server in which runs say a lot from one SIGUSR2 to the next, joined into one module.
import { Effect, Layer, Logger, LogLevel } from "effect"
import { environment } from "../../src/Config.ts"
import { environmentWith } from "../../src/kernel/EnvironmentFile.ts"
import { Program } from "../../src/Program.ts"
import type { RunFact } from "../../src/runs/journal/Payload.ts"
import { RunJournals } from "../../src/runs/journal/RunJournals.ts"
import { openJournal } from "../../src/runs/journal/Units.ts"
import { Storage } from "../../src/storage/Storage.ts"

const journalOf = (attemptId: string) => ({
  attemptId,
  taskId: "task_0",
  runId: attemptId,
  provider: "command",
  adapter: "command",
  sessionId: null
})

/**
 * Serves as `muster` does, with so many runs, each of which says a batch, waits until that is stored, and pauses.
 */
export const serveWithRuns = (
  runs: number,
  pauseMs: number,
  batchOf: (number: number) => ReadonlyArray<RunFact>
) =>
  Effect.gen(function* () {
    const { settings } = yield* Effect.withConfigProvider(environment, environmentWith(new Map()))
    const context = yield* Layer.build(Program(settings))
    yield* Effect.gen(function* () {
      const { append } = yield* RunJournals
      const { write } = yield* Storage
      const names = Array.from({ length: runs }, (_, index) => `attempt_${index}`)
      yield* Effect.forEach(names, (name) => write(openJournal(journalOf(name))))
      let talks = false
      let stored = 0
      process.on("SIGUSR2", () => {
        talks = !talks
      })
      const talk = (name: string) =>
        Effect.suspend(() => {
          if (!talks) return Effect.sleep("50 millis")
          const batch = batchOf(stored)
          stored += batch.length
          return Effect.zipRight(append(name, batch), pauseMs === 0 ? Effect.void : Effect.sleep(pauseMs))
        }).pipe(Effect.forever)
      yield* Effect.forEach(names, talk, { concurrency: "unbounded" })
    }).pipe(Effect.provide(context))
  }).pipe(Effect.scoped, Logger.withMinimumLogLevel(LogLevel.None), Effect.runPromise)
