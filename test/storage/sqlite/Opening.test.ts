import { existsSync } from "node:fs"
import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Storage, type StorageOptions } from "../../../src/storage/Storage.ts"
import { temporaryDirectory } from "../../support/World.ts"

/** A machine whose only disk is of a type that this one does not have: its table of mounts is made up. */
const machineWith = (type: string) =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (files) => ({
      ...files,
      readFileString: (path: string, encoding?: string) =>
        path === "/proc/self/mountinfo"
          ? Effect.succeed(`1 0 0:1 / / rw - ${type} somewhere rw\n`)
          : files.readFileString(path, encoding)
    }))
  ).pipe(Layer.provideMerge(NodeContext.layer))

const opened = (type: string, options: StorageOptions) =>
  Effect.map(Storage, ({ posture }) => posture).pipe(
    Effect.provide(Layer.provide(Storage.layerSqlite(options), machineWith(type))),
    Effect.scoped
  )

describe.runIf(process.platform === "linux")("a database", () => {
  it.scopedLive("is not opened on a file system that other machines have too, whatever is configured", () =>
    Effect.gen(function* () {
      for (const type of ["nfs4", "cifs", "9p", "fuse.sshfs", "vboxsf"]) {
        const directory = yield* temporaryDirectory
        const options = { directory, sqlite: { topology: "single-host", hostId: "here" } } as const
        const refusal = yield* Effect.flip(opened(type, options))
        assert.strictEqual(refusal._tag, "UnsafeFileSystem")
        assert.include(String(refusal.message), type)
        assert.include(String(refusal.message), "SERVICE_DATA_DIR")
        assert.isFalse(existsSync(join(directory, "muster.db")))
      }
    })
  )

  it.scopedLive("does without shared memory on a file system that nobody knows", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      assert.deepInclude(yield* opened("ext4", { directory }), {
        filesystemPosture: "supported-local",
        journalMode: "wal"
      })
      assert.deepInclude(yield* opened("newfs", { directory }), {
        filesystemType: "newfs",
        filesystemPosture: "unknown",
        reasonCode: "unrecognized-filesystem",
        detectionSource: "proc-mountinfo",
        journalMode: "delete"
      })
      assert.deepInclude(yield* opened("ext4", { directory }), { journalMode: "wal" })
    })
  )
})
