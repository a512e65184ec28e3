import { execFileSync } from "node:child_process"
import { existsSync, lstatSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Layer } from "effect"
import { divide } from "../../../src/board/worktrees/Measure.ts"
import { discard } from "../../../src/board/worktrees/Trash.ts"
import * as WorktreeRepo from "../../../src/board/worktrees/WorktreeRepo.ts"
import { nameIn } from "../../../src/kernel/git/FileName.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { ask } from "../../support/Board.ts"
import { configure, git, repositories, withWorktree, write } from "../../support/Git.ts"
import { World, world } from "../../support/World.ts"

const gibibyte = 1_073_741_824

describe("the forced removal of a worktree with large files", () => {
  it.scopedLive("answers at once, and loses none of them when its files are discarded", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      const repos = yield* repositories
      yield* configure(repos)
      const { id, path } = yield* withWorktree()
      write(path, "small")
      write(path, "README", "Changed\n")
      writeFileSync(join(path, "sparse"), "begins\n")
      truncateSync(join(path, "sparse"), 8 * gibibyte)
      writeFileSync(join(path, "large"), Buffer.alloc(40 * 1_048_576, "0123456789"))
      const { manifest, removal } = yield* ask(
        "DELETE",
        `/api/tasks/${id}/worktree?force=true&reason=Large`,
        { as: "admin" }
      )
      assert.deepStrictEqual(removal.pending, { files: 2, bytes: 8 * gibibyte + 40 * 1_048_576 })
      const { ref } = removal.recoverable
      const inRef = () => git(repos.primary, "ls-tree", "-r", "--name-only", ref).split("\n")
      assert.deepStrictEqual(inRef(), [".gitignore", "README", "small"])
      assert.strictEqual(git(repos.primary, "show", `${ref}:README`), "Changed")
      assert.strictEqual(lstatSync(join(removal.trash.path, "sparse")).size, 8 * gibibyte)
      assert.isFalse(existsSync(path))

      // Eight gibibytes of nothing would take git a minute: the rule is the same for fewer.
      truncateSync(join(removal.trash.path, "sparse"), 48 * 1_048_576)
      const { read } = yield* Storage
      const kept = yield* read(WorktreeRepo.newestOf(id))
      if (kept === undefined) return assert.fail("no manifest")
      const discarded = yield* discard(kept)
      assert.isFalse(existsSync(removal.trash.path))
      assert.notProperty(discarded.removal, "pending")
      assert.strictEqual(discarded.removal?.recoverable?.ref, ref)
      assert.deepStrictEqual(inRef(), [".gitignore", "README", "large", "small", "sparse"])
      assert.strictEqual(git(repos.primary, "cat-file", "-s", `${ref}:large`), String(40 * 1_048_576))
      assert.strictEqual(git(repos.primary, "cat-file", "-s", `${ref}:sparse`), String(48 * 1_048_576))
      assert.strictEqual(git(repos.primary, "rev-parse", `${ref}~1`), removal.recoverable.commit)
      assert.deepStrictEqual(
        readdirSync(join(directory, "worktrees")).filter((name) => name.includes(manifest.id)),
        []
      )
    }).pipe(Effect.provide(Layer.merge(world(), NodeContext.layer)))
  )

  it.scopedLive("is not held up by pipes, nor by a folder or a pipe in the place of a file", () =>
    Effect.gen(function* () {
      const repos = yield* repositories
      yield* configure(repos)
      const { id, path } = yield* withWorktree()
      write(path, "kept")
      execFileSync("mkfifo", [join(path, "pipe")])
      rmSync(join(path, "README"))
      execFileSync("mkfifo", [join(path, "README")])
      const { removal } = yield* ask("DELETE", `/api/tasks/${id}/worktree?force=true&reason=Pipes`, {
        as: "admin"
      })
      assert.strictEqual(git(repos.primary, "show", `${removal.recoverable.ref}:kept`), "kept")
      for (const pipe of ["pipe", "README"]) {
        assert.isTrue(lstatSync(join(removal.trash.path, pipe)).isFIFO(), pipe)
      }
    }).pipe(Effect.provide(world()))
  )

  it("divides files so that the first are bounded and none is forgotten", () => {
    const files = FastCheck.uniqueArray(
      FastCheck.record({
        name: FastCheck.string({ minLength: 1 }).map(nameIn),
        bytes: FastCheck.option(FastCheck.nat(100), { nil: undefined })
      }),
      { selector: ({ name }) => name }
    )
    FastCheck.assert(
      FastCheck.property(files, FastCheck.nat(300), FastCheck.nat(10), (all, bytes, count) => {
        const { first, later } = divide(all, { bytes, files: count })
        const sizeOf = new Map(all.map((file) => [file.name, file.bytes ?? 0]))
        assert.sameMembers([...first, ...later.map(({ name }) => name)], [...sizeOf.keys()])
        assert.isAtMost(first.length, count)
        assert.isAtMost(
          first.reduce((sum, name) => sum + (sizeOf.get(name) ?? 0), 0),
          bytes
        )
      })
    )
  })
})
