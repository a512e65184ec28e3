// Writes reports until it is killed, each with its text in a blob and a line in the log: `dying-writer.js DIRECTORY`.
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Array as Arr, Console, Effect, Layer, Logger, LogLevel, Stream } from "effect"
import { newId } from "../../src/kernel/Ids.ts"
import { Workers } from "../../src/kernel/Worker.ts"
import { Blobs, keep } from "../../src/storage/blobs/Blobs.ts"
import * as Log from "../../src/storage/Log.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"

const [directory = ""] = process.argv.slice(2)

const report = Effect.gen(function* () {
  const { put } = yield* Blobs
  const { write } = yield* Storage
  const id = yield* newId("report")
  // Long enough to take several writes.
  const text = Stream.fromIterable(Arr.makeBy(20, (part) => `${id}:${part}\n`.repeat(500)))
  const blob = yield* put(Stream.encodeText(text), 10_000_000)
  yield* write(
    Effect.gen(function* () {
      yield* keep(blob)
      yield* run(sql`INSERT INTO reports (id, digest) VALUES (${id}, ${blob.digest})`)
      yield* Log.append({ resource: "run", resourceId: "a" }, [{ kind: "reported", payload: `"${id}"` }])
    })
  )
  yield* Console.log(id)
}).pipe(Effect.scoped)

const withReports = Effect.flatMap(Storage, ({ write }) =>
  write(
    run(sql`CREATE TABLE IF NOT EXISTS reports (id TEXT PRIMARY KEY, digest TEXT REFERENCES blobs (digest))`)
  )
)

const program = Effect.zipRight(
  withReports,
  Effect.all(
    Arr.makeBy(4, () => Effect.forever(report)),
    { concurrency: "unbounded", discard: true }
  )
).pipe(
  Effect.provide(
    Blobs.layer.pipe(
      Layer.provideMerge(Storage.layerSqlite({ directory })),
      Layer.provide(Layer.merge(NodeContext.layer, Workers.layer))
    )
  )
)

NodeRuntime.runMain(program.pipe(Logger.withMinimumLogLevel(LogLevel.None)))
