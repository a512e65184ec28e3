import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DataDirectoryInUse } from "../../../src/storage/place/Lock.ts"
import { run, start, testKeys } from "../../support/Process.ts"
import { storageIn } from "../../support/TestStorage.ts"
import { send, temporaryDirectory } from "../../support/World.ts"

describe("a data directory", () => {
  it.scopedLive("belongs to one process: a second one is told who holds it and does not start", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const holder = yield* start(directory)
      const second = yield* run({ ...testKeys, SERVICE_DATA_DIR: directory })
      assert.strictEqual(second.code, 1)
      assert.include(second.output, `in use by process ${holder.pid}`)
      assert.include(second.output, "SERVICE_DATA_DIR")
      assert.notInclude(second.output, "    at ", "an operator is told a remedy, not a stack")
      assert.strictEqual((yield* send(holder.baseUrl, "GET", "/api/tasks")).status, 200)
    })
  )

  it.scopedLive("is free again as soon as its process is gone, even after kill -9", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const first = yield* start(directory)
      assert.strictEqual((yield* first.end("SIGKILL")).signal, "SIGKILL")
      const second = yield* start(directory)
      assert.strictEqual((yield* second.end("SIGTERM")).code, 0)
      yield* start(directory)
    })
  )

  it.scopedLive("belongs to one store of a process, too, until that is closed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const open = Layer.build(storageIn(directory))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* open
          const refused = yield* Effect.flip(open)
          assert.instanceOf(refused, DataDirectoryInUse)
          assert.include(refused.message, `process ${process.pid} on`)
        })
      )
      yield* open
    })
  )
})
