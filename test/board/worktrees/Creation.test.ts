import { rmSync } from "node:fs"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, getTask } from "../../support/Board.ts"
import {
  commit,
  configure,
  git,
  makeRepositories,
  pushedByOther,
  taskOf,
  withWorktree
} from "../../support/Git.ts"
import { temporaryDirectory, World, world } from "../../support/World.ts"

const fresh = (name: string) =>
  Effect.gen(function* () {
    const repos = makeRepositories(yield* temporaryDirectory)
    yield* configure(repos, name)
    return repos
  })

describe("the creation of a worktree", () => {
  layer(world(), { excludeTestServices: true })((it) => {
    it.scoped("needs origin, or a reason to do without it", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const repos = yield* fresh("offline")
        const { id } = yield* taskOf("offline")
        const at = `/api/tasks/${id}/worktree`
        rmSync(repos.origin, { recursive: true })
        for (const body of [
          {},
          { allowStaleBase: true },
          { staleBaseAcknowledgement: { reason: "offline" } }
        ]) {
          const answer = yield* request("POST", at, { body })
          assert.strictEqual(answer.status, 409, JSON.stringify(body))
          assert.deepInclude(answer.body, { code: "CONFLICT" })
          assert.deepInclude(answer.body.details, { baseBranch: "main", blockers: [], overridable: false })
          assert.include(answer.body.error, "allowStaleBase")
        }
        assert.strictEqual((yield* request("POST", at, { body: { allowStaleBase: "x" } })).status, 400)
        const { manifest } = yield* ask("POST", at, {
          body: { allowStaleBase: true, staleBaseAcknowledgement: { reason: "password=hunter22 on a train" } }
        })
        assert.deepInclude(manifest, { baseSource: "stale-acknowledged", remoteFreshness: "stale" })
        assert.notInclude(manifest.staleBaseReason, "hunter22")
        assert.include(manifest.staleBaseReason, "on a train")
        assert.strictEqual(manifest.baseCommit, git(repos.primary, "rev-parse", "main"))
      })
    )

    it.scoped("is refused when the task does not say what it needs", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        yield* fresh("names")
        const refused = [
          [{ title: "None" }, "git.repo"],
          [{ title: "Unknown", git: { repo: "unknown" } }, "git.repo"],
          [{ title: "Branch", git: { repo: "names", branch: "bad..name" } }, "git.branch"],
          [{ title: "Option", git: { repo: "names", branch: "-x" } }, "git.branch"],
          [{ title: "Base", git: { repo: "names", baseBranch: "a b" } }, "git.baseBranch"],
          [{ title: "Ref", git: { repo: "names", baseBranch: "refs/heads/..x" } }, "git.baseBranch"],
          [{ title: "Same", git: { repo: "names", branch: "main" } }, "git.branch"]
        ] as const
        for (const [body, path] of refused) {
          const task = yield* ask("POST", "/api/tasks", { body })
          const answer = yield* request("POST", `/api/tasks/${task.id}/worktree`, { body: {} })
          assert.strictEqual(answer.status, 400, body.title)
          assert.strictEqual(answer.body.code, "VALIDATION_ERROR")
          assert.strictEqual(answer.body.details.issues[0].path, path)
        }
        assert.strictEqual((yield* request("POST", "/api/tasks/nobody/worktree", { body: {} })).status, 404)
        const reader = yield* request("POST", "/api/tasks/nobody/worktree", { as: "read-only", body: {} })
        assert.strictEqual(reader.status, 403)
        yield* ask("POST", "/api/config/repos", { as: "admin", body: { name: "gone", path: "/nonexistent" } })
        const { id } = yield* taskOf("gone")
        const answer = yield* request("POST", `/api/tasks/${id}/worktree`, { body: {} })
        assert.strictEqual(answer.status, 409)
        assert.strictEqual((yield* request("GET", `/api/tasks/${id}/worktree`)).status, 404)
      })
    )

    it.scoped("happens once, however many ask at a time", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const repos = yield* fresh("race")
        const { id, revision } = yield* taskOf("race")
        const answers = yield* Effect.all(
          Array.from({ length: 20 }, () => request("POST", `/api/tasks/${id}/worktree`, { body: {} })),
          { concurrency: "unbounded" }
        )
        const statuses = answers.map(({ status }) => status)
        assert.strictEqual(statuses.filter((status) => status === 201).length, 1)
        assert.strictEqual(statuses.filter((status) => status === 409).length, 19)
        assert.strictEqual(git(repos.primary, "worktree", "list").split("\n").length, 2)
        assert.strictEqual((yield* getTask(id)).revision, revision + 1)
      })
    )

    it.scoped("continues a branch that has commits of its own, and moves one up that has none", () =>
      Effect.gen(function* () {
        const repos = yield* fresh("again")
        const { id, path } = yield* withWorktree("again")
        const at = `/api/tasks/${id}/worktree`
        const head = commit(path, "feature")
        yield* ask("DELETE", `${at}?force=true&reason=Later`, { as: "admin" })
        pushedByOther(repos)
        const continued = yield* ask("POST", at, { body: {} })
        assert.strictEqual(git(continued.manifest.path, "rev-parse", "HEAD"), head)
        assert.deepInclude(continued.manifest, { ahead: 1, behind: 1 })

        const other = yield* withWorktree("again")
        yield* ask("DELETE", `/api/tasks/${other.id}/worktree`)
        const next = pushedByOther(repos, "more")
        const moved = yield* ask("POST", `/api/tasks/${other.id}/worktree`, { body: {} })
        assert.strictEqual(git(moved.manifest.path, "rev-parse", "HEAD"), next)
      })
    )

    it.scoped("does not take a branch that is checked out elsewhere, and leaves nothing behind", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const repos = yield* fresh("taken")
        git(repos.primary, "switch", "--quiet", "-c", "feature")
        const { id } = yield* taskOf("taken", { branch: "feature" })
        const answer = yield* request("POST", `/api/tasks/${id}/worktree`, { body: {} })
        assert.strictEqual(answer.status, 409)
        assert.strictEqual(git(repos.primary, "worktree", "list").split("\n").length, 1)
        assert.notProperty((yield* getTask(id)).git, "worktreePath")
        git(repos.primary, "switch", "--quiet", "main")
        yield* ask("POST", `/api/tasks/${id}/worktree`, { body: {} })
      })
    )

    it.scoped("belongs to the service: a client can't say where the worktree lies", () =>
      Effect.gen(function* () {
        yield* fresh("path")
        const { id, path } = yield* withWorktree("path")
        yield* ask("PATCH", `/api/tasks/${id}`, { body: { git: { worktreePath: "/etc", branch: "x" } } })
        assert.strictEqual((yield* getTask(id)).git.worktreePath, path)
        yield* ask("PATCH", `/api/tasks/${id}`, { body: { git: null } })
        assert.strictEqual((yield* getTask(id)).git.worktreePath, path)
      })
    )
  })
})
