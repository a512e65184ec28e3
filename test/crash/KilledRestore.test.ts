import { spawn } from "node:child_process"
import { watch } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Layer, Random } from "effect"
import { Workers } from "../../src/kernel/Worker.ts"
import { copyStopped } from "../../src/offline/StoppedCopy.ts"
import { Blobs } from "../../src/storage/blobs/Blobs.ts"
import { programs } from "../support/Programs.ts"
import { report, reports, withReports } from "../support/Reports.ts"
import { databaseOf, restore } from "../support/Restore.ts"
import { storageIn } from "../support/TestStorage.ts"
import { temporaryDirectory } from "../support/World.ts"

const inStore = (directory: string) =>
  Effect.provide(
    Blobs.layer.pipe(
      Layer.provideMerge(storageIn(directory)),
      Layer.provide([NodeContext.layer, Workers.layer])
    )
  )

/** What a board of this name holds: reports of its own, and one that every board has. */
const textsOf = (name: string): Readonly<Record<string, string>> => ({
  both: "the same",
  ...Object.fromEntries(
    Arr.makeBy(12, (number) => [`${name} ${number}`, `${name} ${number} `.repeat(40_000)])
  )
})

/** A backup of a board of this name. */
const backupOf = (name: string) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    yield* Effect.zipRight(
      withReports,
      Effect.forEach(Object.entries(textsOf(name)), ([id, text]) => report(id, text))
    ).pipe(inStore(directory))
    const file = join(yield* temporaryDirectory, `${name}.db`)
    yield* Effect.provide(
      copyStopped({ directory, database: databaseOf(directory) }, file),
      NodeContext.layer
    )
    return file
  })

/**
 * Restores in a process of its own, which is killed when so many names have changed in the data directory. Gives how many
 * changed, and whether the process came to its end.
 */
const restoreKilledAfter = (
  file: string,
  directory: string,
  limit: number
): Effect.Effect<{ readonly changes: number; readonly isDone: boolean }> =>
  Effect.async((resume) => {
    let changes = 0
    const child = spawn(process.execPath, [programs.command, "restore", file], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, SERVICE_DATA_DIR: directory }
    })
    const watchers = [directory, join(directory, "blobs", "incoming")].map((place) =>
      watch(place, () => {
        changes++
        if (changes >= limit) child.kill("SIGKILL")
      })
    )
    child.once("close", (code) => {
      for (const watcher of watchers) watcher.close()
      resume(Effect.succeed({ changes, isDone: code === 0 }))
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const kills = Number(process.env["CRASH_KILLS"] ?? 12)

describe("a restore that is killed at its work", () => {
  it.scopedLive("leaves the old board or the new one, whole with its blobs, and can be done again", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const files = { old: yield* backupOf("old"), new: yield* backupOf("new") }
      yield* restore(files.old, directory)
      const { changes, isDone } = yield* restoreKilledAfter(files.new, directory, Number.POSITIVE_INFINITY)
      assert.isTrue(isDone)
      const ends = { old: 0, new: 0 }
      for (const _ of Arr.range(1, kills)) {
        yield* restore(files.old, directory)
        yield* restoreKilledAfter(files.new, directory, yield* Random.nextIntBetween(1, changes + 1))
        const found = yield* reports.pipe(inStore(directory))
        const end = "new 0" in found ? "new" : "old"
        assert.deepStrictEqual(found, textsOf(end))
        ends[end]++
      }
      assert.isAbove(ends.old, 0, "none was killed in time")
    })
  )
})
