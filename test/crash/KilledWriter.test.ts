import { spawn } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Chunk, Effect, Layer, Random, Stream } from "effect"
import { now } from "../../src/kernel/Time.ts"
import { Workers } from "../../src/kernel/Worker.ts"
import { Blobs } from "../../src/storage/blobs/Blobs.ts"
import * as Log from "../../src/storage/Log.ts"
import { rows, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { programs } from "../support/Programs.ts"
import { steppedClock } from "../support/SteppedClock.ts"
import { storageIn } from "../support/TestStorage.ts"
import { temporaryDirectory } from "../support/World.ts"

/** Starts a writer, kills it after so many acknowledged reports, and gives those that it acknowledged by then. */
const killAfter = (directory: string, count: number): Effect.Effect<ReadonlyArray<string>> =>
  Effect.async((resume) => {
    const child = spawn(process.execPath, [programs.dyingWriter, directory], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let said = ""
    const acknowledged = () => said.split("\n").slice(0, -1)
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      if (acknowledged().length >= count) child.kill("SIGKILL")
    })
    child.once("close", () => resume(Effect.succeed(acknowledged())))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const storeIn = (directory: string) =>
  Blobs.layer.pipe(
    Layer.provideMerge(storageIn(directory)),
    Layer.provide([NodeContext.layer, Workers.layer])
  )

const check = (acknowledged: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { directory, read } = yield* Storage
    const { open, sweep } = yield* Blobs
    const reports = yield* read(rows<{ id: string; digest: string }>(sql`SELECT id, digest FROM reports`))
    const ids = new Set(reports.map(({ id }) => id))
    for (const id of acknowledged) assert.isTrue(ids.has(id), `${id} was acknowledged and is gone`)
    const { entries, gap, head } = yield* read(Log.after({ resource: "run", resourceId: "a" }, 0, 1_000))
    assert.isUndefined(gap)
    assert.strictEqual(head, reports.length)
    assert.deepStrictEqual(
      entries.map(({ sequence }) => sequence),
      Arr.range(1, reports.length)
    )
    assert.deepStrictEqual(new Set(entries.map(({ payload }) => JSON.parse(payload))), ids)
    yield* sweep
    for (const { digest, id } of reports) {
      const { bytes } = yield* open(digest)
      const text = Buffer.concat(Chunk.toArray(yield* Stream.runCollect(bytes))).toString()
      assert.isTrue(text.startsWith(`${id}:0\n`) && text.endsWith(`${id}:19\n`))
    }
    const root = join(directory, "blobs")
    const files = readdirSync(root).flatMap((folder) => readdirSync(join(root, folder)))
    assert.lengthOf(files, reports.length, "an hour later there is a file for each report, and no other")
    return reports.length
  })

describe("a writer of blobs and of the log that is killed at its work", () => {
  it.scopedLive("has kept every report that it acknowledged, with its text, and leaves nothing else", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const clock = steppedClock()
      // Two hours ahead of the files: what no row refers to is swept at once.
      yield* clock.step((yield* now) + 7_200_000)
      const acknowledged: Array<string> = []
      for (let kill = 0; kill < 4; kill++) {
        acknowledged.push(...(yield* killAfter(directory, yield* Random.nextIntBetween(5, 40))))
        const reports = yield* Effect.provide(check(acknowledged), [storeIn(directory), clock.layer])
        assert.isAtLeast(reports, acknowledged.length)
      }
    })
  )
})
