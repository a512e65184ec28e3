import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, etagOf, getTask } from "../../support/Board.ts"
import {
  atOrigin,
  commit,
  configure,
  git,
  makeRepositories,
  pushedByOther,
  taskOf
} from "../../support/Git.ts"
import { temporaryDirectory, World, world } from "../../support/World.ts"

describe("a write on a worktree", () => {
  layer(world(), { excludeTestServices: true })((it) => {
    it.scoped("happens on the revision of the task that it was based on, or not at all", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const repos = makeRepositories(yield* temporaryDirectory)
        yield* configure(repos, "conditional")
        const old = yield* taskOf("conditional")
        yield* ask("PATCH", `/api/tasks/${old.id}`, { body: { title: "Another title" } })
        const at = `/api/tasks/${old.id}/worktree`
        const stale = [
          { "if-match": etagOf(old) },
          { "x-resource-revision": String(old.revision) },
          { "if-match": `"task:another:${old.revision + 1}"` }
        ]
        const refuses = (method: string, path: string, body?: object) =>
          Effect.forEach(stale, (headers) =>
            Effect.gen(function* () {
              const answer = yield* request(method, path, { as: "admin", headers, body })
              const current = yield* getTask(old.id)
              assert.strictEqual(answer.status, 409, `${method} ${path}`)
              assert.strictEqual(answer.body.code, "CONFLICT")
              assert.deepInclude(answer.body.details, {
                resourceType: "task",
                resourceId: old.id,
                currentRevision: current.revision
              })
              assert.deepStrictEqual(answer.body.details.current, current)
            })
          )
        const does = (method: string, path: string, body?: object) =>
          Effect.flatMap(getTask(old.id), (now) =>
            ask(method, path, { as: "admin", headers: { "if-match": etagOf(now) }, body })
          )

        yield* refuses("POST", at, {})
        assert.strictEqual(git(repos.primary, "worktree", "list").split("\n").length, 1)
        assert.strictEqual((yield* request("GET", at)).status, 404)
        const { manifest } = yield* does("POST", at, {})

        const head = commit(manifest.path, "feature")
        const base = pushedByOther(repos)
        yield* refuses("POST", `${at}/rebase`, {})
        assert.strictEqual(git(manifest.path, "rev-parse", "HEAD"), head)
        assert.isTrue((yield* does("POST", `${at}/rebase`, {})).rebased)
        yield* refuses("POST", `${at}/rebase`, {})
        yield* refuses("POST", `${at}/pull-request`, {})
        assert.strictEqual(git(repos.origin, "for-each-ref", "--format=%(refname)"), "refs/heads/main")
        yield* does("POST", `${at}/pull-request`, {})
        yield* refuses("POST", `${at}/merge`)
        assert.strictEqual(atOrigin(repos), base)
        yield* does("POST", `${at}/merge`)
        yield* refuses("DELETE", at)
        yield* refuses("DELETE", `${at}?force=true&reason=Stale`)
        assert.isTrue(existsSync(join(manifest.path, "feature")))
        yield* does("DELETE", at)

        const path = join(repos.root, "by-hand")
        git(repos.primary, "fetch", "--quiet", "origin")
        git(repos.primary, "worktree", "add", "--quiet", "-b", "legacy", path, "origin/main")
        yield* refuses("POST", `${at}/adopt`, { path, branch: "legacy" })
        yield* does("POST", `${at}/adopt`, { path, branch: "legacy" })
        const malformed = yield* request("DELETE", at, { headers: { "if-match": "yesterday" } })
        assert.strictEqual(malformed.status, 400)
        assert.strictEqual(malformed.body.details.issues[0].path, "if-match")
        assert.strictEqual((yield* request("DELETE", at, { headers: { "if-match": "*" } })).status, 200)
      })
    )
  })
})
