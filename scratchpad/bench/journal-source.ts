// What the benchmark of the journal works with, joined into one module.
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer, Logger, LogLevel, ManagedRuntime } from "effect"
import { Workers } from "../../src/kernel/Worker.ts"
import { RunJournals } from "../../src/runs/journal/RunJournals.ts"
import { spelling, streamOf } from "../../src/runs/journal/RunStream.ts"
import { openJournal } from "../../src/runs/journal/Units.ts"
import { Blobs } from "../../src/storage/blobs/Blobs.ts"
import * as Log from "../../src/storage/Log.ts"
import { Storage } from "../../src/storage/Storage.ts"

const journalOf = (attemptId: string) => ({
  attemptId,
  taskId: "task_1",
  runId: attemptId,
  provider: "command",
  adapter: "command",
  sessionId: null
})

/** The journals of a board in a directory, as promises. */
export const openJournals = async (directory: string) => {
  const runtime = ManagedRuntime.make(
    RunJournals.layer.pipe(
      Layer.provideMerge(Blobs.layer),
      Layer.provideMerge(Storage.layerSqlite({ directory })),
      Layer.provide(Workers.layer),
      Layer.provide(NodeContext.layer),
      Layer.provide(Logger.minimumLogLevel(LogLevel.None))
    )
  )
  const { append } = await runtime.runPromise(RunJournals)
  const { read, write } = await runtime.runPromise(Storage)
  return {
    open: (attemptId: string) => runtime.runPromise(write(openJournal(journalOf(attemptId)))),
    append: (attemptId: string, facts: Parameters<typeof append>[1]) =>
      runtime.runPromise(append(attemptId, facts)),
    page: (attemptId: string, afterSequence: number, limit: number) =>
      runtime.runPromise(
        read(
          Effect.map(Log.after(streamOf(attemptId), afterSequence, limit), ({ entries }) =>
            entries.map(spelling(journalOf(attemptId))).join(",")
          )
        )
      ),
    close: () => runtime.dispose()
  }
}
