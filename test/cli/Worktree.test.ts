import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, createTask } from "../support/Board.ts"
import { cli, cliAs } from "../support/Cli.ts"
import { commit, configure, repositories, write } from "../support/Git.ts"
import { sharedWorld } from "../support/SharedWorld.ts"

const shared = sharedWorld()

describe("worktree", () => {
  it.scopedLive("is made, brought up to date, merged and removed; its work is never lost", () =>
    Effect.gen(function* () {
      yield* configure(yield* repositories, "app")
      const { id } = yield* createTask({ id: "TREE-1" })
      const none = yield* cli("worktree", "status", id)
      assert.deepStrictEqual([none.exitCode, none.stderr.includes("has no worktree")], [4, true])
      const made = yield* cli("worktree", "create", id, "--repo", "app")
      assert.strictEqual(made.exitCode, 0, made.stderr)
      assert.match(
        made.stdout,
        /^muster\/TREE-1 of TREE-1 is active\npath: +\S+\nbase: +main at [0-9a-f]{40}\ncommits: 0 ahead, 0 behind\nNothing stands against its removal\.$/
      )
      const { manifest } = (yield* cli("worktree", "status", id, "--json")).json()
      assert.match((yield* cli("worktree", "rebase", id)).stdout, /^Up to date: muster\/TREE-1 of TREE-1/)
      commit(manifest.path, "new.md")
      const merged = yield* cli("worktree", "merge", id)
      assert.match(
        merged.stdout,
        /^Merged muster\/TREE-1 of TREE-1 into main by fast-forward: [0-9a-f]{40}$/,
        merged.stderr
      )
      write(manifest.path, "idea.md")
      assert.match((yield* cli("worktree", "status", id)).stdout, /\n {2}- 1 untracked file \(untracked\)$/)
      const refused = yield* cli("worktree", "remove", id)
      assert.strictEqual(refused.exitCode, 5)
      assert.match(refused.stderr, /can't be removed now: 1 untracked file\. An administrator may force it/)
      const removed = yield* cliAs("admin", "worktree", "remove", id, "--force-because", "Began anew")
      assert.match(
        removed.stdout,
        /^Removed muster\/TREE-1 of TREE-1\nits work is at refs\/muster\/trash\/\S+ \([0-9a-f]{40}\)\nits files lie in /,
        removed.stderr
      )
      assert.match((yield* cli("worktree", "status", id)).stdout, / is deleted\nits work is at refs/)
      assert.strictEqual((yield* cli("worktree", "stale")).stdout, "No worktree was left alone for a week.")
      assert.strictEqual((yield* ask("GET", `/api/tasks/${id}`)).git.repo, "app")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("says what is missing", () =>
    Effect.gen(function* () {
      yield* createTask({ id: "TREE-2" })
      const { exitCode, stderr } = yield* cli("worktree", "create", "TREE-2")
      assert.strictEqual(exitCode, 2)
      assert.match(stderr, /git\.repo/)
      assert.strictEqual((yield* cli("worktree", "create", "TREE-0")).exitCode, 4)
      assert.strictEqual((yield* cli("worktree", "create", "TREE-2", "--base", "a..b")).exitCode, 2)
    }).pipe(Effect.provide(shared))
  )
})
