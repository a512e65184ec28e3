import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, getTask } from "../../support/Board.ts"
import { commit, configure, git, makeRepositories, pushedByOther, taskOf } from "../../support/Git.ts"
import { temporaryDirectory, World, world } from "../../support/World.ts"

describe("the adoption of a worktree", () => {
  layer(world(), { excludeTestServices: true })((it) => {
    const scene = (name: string) =>
      Effect.gen(function* () {
        const { request } = yield* World
        const repos = makeRepositories(yield* temporaryDirectory)
        yield* configure(repos, name)
        const path = join(repos.root, "by-hand")
        git(repos.primary, "worktree", "add", "--quiet", "-b", "legacy", path, "main")
        const head = commit(path, "legacy")
        const { id } = yield* taskOf(name)
        const adopt = (body: object, as: "admin" | "agent" = "admin", task = id) =>
          request("POST", `/api/tasks/${task}/worktree/adopt`, { as, body })
        return { repos, path, id, head, adopt, exact: { path, branch: "legacy" } }
      })

    it.scoped("takes it over as it is, for an administrator", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const { adopt, exact, head, id, path, repos } = yield* scene("adopt")
        assert.strictEqual((yield* adopt(exact, "agent")).status, 403)
        const { body, status } = yield* adopt(exact)
        assert.strictEqual(status, 201, JSON.stringify(body))
        assert.deepInclude(body.manifest, {
          baseSource: "legacy-adopted",
          baseCommit: git(repos.primary, "rev-parse", "main"),
          ahead: 1,
          lifecycleState: "active"
        })
        assert.strictEqual(git(path, "rev-parse", "HEAD"), head)
        assert.strictEqual((yield* getTask(id)).git.worktreePath, path)
        assert.strictEqual((yield* adopt(exact)).status, 409)
        const second = yield* taskOf("adopt")
        const taken = yield* adopt(exact, "admin", second.id)
        assert.strictEqual(taken.status, 409)
        assert.strictEqual(taken.body.details.requirement, "unique-allocation")
        yield* ask("POST", `/api/tasks/${id}/worktree/merge`)
        assert.strictEqual(
          (yield* ask("GET", `/api/tasks/${id}/worktree`)).manifest.baseSource,
          "legacy-adopted"
        )
        assert.strictEqual((yield* request("DELETE", `/api/tasks/${id}/worktree`)).status, 200)
        assert.isFalse(existsSync(path))
      })
    )

    it.scoped("needs everything to be exactly so", () =>
      Effect.gen(function* () {
        const { adopt, exact, path, repos } = yield* scene("exact")
        const requirement = (body: object) =>
          Effect.map(adopt(body), (answer) => [answer.status, answer.body.details?.requirement])
        assert.deepStrictEqual(yield* requirement({ ...exact, path: `${path}/` }), [409, "registered-path"])
        assert.deepStrictEqual(yield* requirement({ ...exact, path: repos.primary }), [
          409,
          "registered-path"
        ])
        assert.deepStrictEqual(yield* requirement({ ...exact, path: repos.other }), [409, "registered-path"])
        assert.deepStrictEqual(yield* requirement({ ...exact, branch: "main" }), [409, "registered-branch"])
        git(repos.primary, "config", "extensions.worktreeConfig", "true")
        git(path, "config", "--worktree", "remote.origin.url", repos.other)
        // The setting of the worktree stands behind that of the repository, so the repository's must be gone.
        const url = git(repos.primary, "config", "--local", "remote.origin.url")
        git(repos.primary, "config", "--local", "--unset", "remote.origin.url")
        assert.deepStrictEqual(yield* requirement(exact), [409, "remote-fingerprint"])
        git(path, "config", "--worktree", "--unset", "remote.origin.url")
        git(repos.primary, "config", "--local", "remote.origin.url", url)
        pushedByOther(repos)
        assert.deepStrictEqual(yield* requirement(exact), [409, "ancestor-base"])
        git(repos.primary, "config", "remote.origin.url", "/nonexistent")
        assert.deepStrictEqual(yield* requirement(exact), [409, undefined])
      })
    )
  })
})
