import { existsSync } from "node:fs"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ProcessInspection } from "../../../src/board/worktrees/Holders.ts"
import { discard } from "../../../src/board/worktrees/Trash.ts"
import * as WorktreeRepo from "../../../src/board/worktrees/WorktreeRepo.ts"
import { WorktreeSteps } from "../../../src/board/worktrees/WorktreeSteps.ts"
import { now } from "../../../src/kernel/Time.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { ask } from "../../support/Board.ts"
import {
  atOrigin,
  commit,
  configure,
  makeRepositories,
  pushedByOther,
  repositories,
  withWorktree,
  write
} from "../../support/Git.ts"
import { registerCodex, start } from "../../support/Runs.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

describe("the life of a worktree", () => {
  it.scopedLive("is a candidate for cleanup once its lease is over, and is renewed by work", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const repos = yield* repositories
      yield* configure(repos)
      const old = yield* withWorktree()
      const used = yield* withWorktree()
      const list = ask("GET", "/api/tasks/worktrees/cleanup-preview")
      assert.deepStrictEqual(yield* list, [])
      yield* clock.step("6 days")
      yield* ask("POST", `/api/tasks/${used.id}/worktree/rebase`, { body: {} })
      yield* clock.step("1 day")
      const fresh = yield* withWorktree()
      const candidates = yield* list
      assert.deepStrictEqual(
        candidates.map(({ taskId }: { taskId: string }) => taskId),
        [old.id]
      )
      assert.isTrue(candidates[0].cleanupPreview.removable)
      for (const { path } of [old, used, fresh]) assert.isTrue(existsSync(path))
    }).pipe(Effect.provide(world().pipe(Layer.provide(clock.layer))))
  })

  it.scopedLive("ends for its files when they have been kept long enough", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const repos = yield* repositories
      yield* configure(repos)
      const { id, path } = yield* withWorktree()
      write(path, "ignored/.env")
      const { removal } = yield* ask("DELETE", `/api/tasks/${id}/worktree`)
      const { read } = yield* Storage
      const due = read(Effect.flatMap(now, WorktreeRepo.discardable))
      yield* clock.step("6 days")
      assert.deepStrictEqual(yield* Effect.provide(due, clock.layer), [])
      assert.isTrue(existsSync(removal.trash.path))
      yield* clock.step("1 day")
      for (const manifest of yield* Effect.provide(due, clock.layer)) yield* discard(manifest)
      assert.isFalse(existsSync(removal.trash.path))
      assert.notProperty((yield* ask("GET", `/api/tasks/${id}/worktree`)).manifest.removal, "trash")
    }).pipe(Effect.provide(Layer.merge(world(), NodeContext.layer).pipe(Layer.provide(clock.layer))))
  })

  it.scopedLive("outlives the server", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const repos = makeRepositories(yield* temporaryDirectory)
      const { created, id } = yield* Effect.zipRight(configure(repos), withWorktree()).pipe(
        Effect.provide(worldIn(directory))
      )
      const status = yield* ask("GET", `/api/tasks/${id}/worktree`).pipe(Effect.provide(worldIn(directory)))
      assert.deepStrictEqual(status.manifest, created.manifest)
      assert.deepInclude(status.cleanupPreview, { removable: true })
    })
  )

  it.scopedLive("ends neither under a run nor under a claim of its task, whoever asks", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const repos = yield* repositories
      yield* configure(repos)
      yield* registerCodex
      for (const [work, code] of [
        [(id: string) => start(id), "active-attempt"],
        [(id: string) => ask("POST", `/api/tasks/${id}/claim`, { body: {} }), "attempt-lease"]
      ] as const) {
        const { id, path } = yield* withWorktree()
        yield* work(id)
        const refused = yield* request("DELETE", `/api/tasks/${id}/worktree?force=true&reason=Now`, {
          as: "admin"
        })
        assert.strictEqual(refused.status, 409, JSON.stringify(refused.body))
        const { blockers, overridable } = refused.body.details
        assert.deepInclude(blockers[0], { code, overridable: false })
        assert.isFalse(overridable)
        assert.isTrue(existsSync(path))
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is ended by an administrator alone where processes can't all be looked at", () => {
    // A machine that hides processes from root can't be had here.
    const blind = Layer.succeed(ProcessInspection, {
      below: () => Effect.succeed({ holders: [], complete: false })
    })
    return Effect.gen(function* () {
      const { request } = yield* World
      const repos = yield* repositories
      yield* configure(repos)
      const { id, path } = yield* withWorktree()
      write(path, "untracked")
      const at = `/api/tasks/${id}/worktree`
      const refused = yield* request("DELETE", at)
      assert.strictEqual(refused.status, 403)
      assert.deepInclude(refused.body.details, { requiredPermission: "admin:manage" })
      assert.notProperty(refused.body.details, "blockers")
      assert.strictEqual((yield* request("DELETE", at, { as: "admin" })).status, 409)
      yield* ask("DELETE", `${at}?force=true&reason=Blind`, { as: "admin" })
    }).pipe(Effect.provide(world().pipe(Layer.provide(blind))))
  })

  it.scopedLive("does not push over what came to origin while it was being merged", () => {
    let push: () => void = () => undefined
    const steps = Layer.succeed(WorktreeSteps, {
      reached: (step) => Effect.sync(() => (step === "merge:added" ? push() : undefined))
    })
    return Effect.gen(function* () {
      const { request } = yield* World
      const repos = yield* repositories
      yield* configure(repos)
      const { id, path } = yield* withWorktree()
      commit(path, "feature")
      pushedByOther(repos, "before")
      let theirs = ""
      push = () => {
        theirs = pushedByOther(repos, "during")
      }
      const answer = yield* request("POST", `/api/tasks/${id}/worktree/merge`)
      assert.strictEqual(answer.status, 409)
      assert.deepInclude(answer.body.details, { branch: "main", reason: "non-fast-forward" })
      assert.strictEqual(atOrigin(repos), theirs)
    }).pipe(Effect.provide(world().pipe(Layer.provide(steps))))
  })

  it.scopedLive("does not lose what is written while it is being removed", () => {
    let path = ""
    const steps = Layer.succeed(WorktreeSteps, {
      reached: (step) => Effect.sync(() => (step === "remove:recorded" ? write(path, "late") : undefined))
    })
    return Effect.gen(function* () {
      const { request } = yield* World
      const repos = yield* repositories
      yield* configure(repos)
      const made = yield* withWorktree()
      path = made.path
      const answer = yield* request("DELETE", `/api/tasks/${made.id}/worktree`)
      assert.strictEqual(answer.status, 409)
      assert.isTrue(existsSync(`${path}/late`))
      const status = yield* ask("GET", `/api/tasks/${made.id}/worktree`)
      assert.deepInclude(status.manifest, { lifecycleState: "active" })
      assert.strictEqual(status.cleanupPreview.findings.untracked, 1)
    }).pipe(Effect.provide(world().pipe(Layer.provide(steps))))
  })
})
