import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, getTask } from "../../support/Board.ts"
import {
  atOrigin,
  commit,
  configure,
  git,
  pushedByOther,
  repositories,
  taskOf,
  withWorktree
} from "../../support/Git.ts"
import { World, world } from "../../support/World.ts"

describe("a worktree", () => {
  it.scopedLive("starts from the exact commit that origin has now, and the task knows where it is", () =>
    Effect.gen(function* () {
      const repos = yield* repositories
      yield* configure(repos)
      const head = pushedByOther(repos)
      const task = yield* taskOf()
      const { cleanupPreview, manifest } = yield* ask("POST", `/api/tasks/${task.id}/worktree`, { body: {} })
      assert.deepInclude(manifest, {
        schemaVersion: "worktree-manifest/v1",
        taskId: task.id,
        baseCommit: head,
        baseSource: "origin",
        remoteFreshness: "fresh",
        lifecycleState: "active",
        ahead: 0,
        behind: 0,
        branch: `muster/${task.id}`
      })
      assert.match(manifest.id, /^worktree_/)
      assert.strictEqual(manifest.lease.holder, "codex")
      assert.deepInclude(cleanupPreview, { removable: true, blockers: [] })
      assert.strictEqual(git(manifest.path, "rev-parse", "HEAD"), head)
      assert.include(git(repos.primary, "worktree", "list"), manifest.path)
      const after = yield* getTask(task.id)
      assert.strictEqual(after.git.worktreePath, manifest.path)
      assert.strictEqual(after.revision, task.revision + 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is rebased, merged and removed", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const repos = yield* repositories
      yield* configure(repos)
      const { id, path } = yield* withWorktree()
      const at = `/api/tasks/${id}/worktree`
      commit(path, "feature")
      const head = pushedByOther(repos)
      const rebased = yield* ask("POST", `${at}/rebase`, { body: {} })
      assert.deepInclude(rebased, { rebased: true, onto: head })
      assert.strictEqual(git(path, "rev-parse", "HEAD~1"), head)
      assert.strictEqual((yield* request("DELETE", at)).status, 409)
      const merged = yield* ask("POST", `${at}/merge`)
      assert.deepInclude(merged, { fastForward: true, commit: git(path, "rev-parse", "HEAD") })
      assert.strictEqual(atOrigin(repos), merged.commit)
      const removed = yield* ask("DELETE", at)
      assert.strictEqual(removed.manifest.lifecycleState, "deleted")
      assert.isFalse(existsSync(path))
      assert.notInclude(git(repos.primary, "worktree", "list"), path)
      assert.notProperty((yield* getTask(id)).git, "worktreePath")
      assert.strictEqual((yield* ask("GET", at)).manifest.id, removed.manifest.id)
    }).pipe(Effect.provide(world()))
  )
})
