import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { ask } from "../../support/Board.ts"
import {
  atOrigin,
  commit,
  configure,
  git,
  makeRepositories,
  pushedByOther,
  type Repositories,
  withWorktree,
  write
} from "../../support/Git.ts"
import { temporaryDirectory, World, world } from "../../support/World.ts"

const scene = (name: string) =>
  Effect.gen(function* () {
    const repos = makeRepositories(yield* temporaryDirectory)
    yield* configure(repos, name)
    const { created, id, path } = yield* withWorktree(name)
    return { repos, id, path, at: `/api/tasks/${id}/worktree`, manifest: created.manifest }
  })

/** Everything of the primary checkout that a merge must leave alone. */
const primaryState = ({ primary }: Repositories) => ({
  head: git(primary, "rev-parse", "HEAD"),
  branch: git(primary, "symbolic-ref", "HEAD"),
  main: git(primary, "rev-parse", "refs/heads/main"),
  staged: git(primary, "diff", "--cached"),
  changed: git(primary, "status", "--porcelain"),
  stashes: git(primary, "stash", "list")
})

describe("work on a worktree", () => {
  layer(world(), { excludeTestServices: true })((it) => {
    it.scoped("is not lost in a rebase that meets conflicts", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const { at, path, repos } = yield* scene("conflict")
        const head = commit(path, "README", "Mine\n")
        pushedByOther(repos, "README", "Theirs\n")
        const answer = yield* request("POST", `${at}/rebase`, { body: {} })
        assert.strictEqual(answer.status, 409)
        assert.deepStrictEqual(answer.body.details.files, ["README"])
        assert.strictEqual(git(path, "rev-parse", "HEAD"), head)
        assert.strictEqual(git(path, "status", "--porcelain"), "")
        assert.strictEqual((yield* ask("GET", at)).manifest.lifecycleState, "active")

        const merge = yield* request("POST", `${at}/merge`)
        assert.strictEqual(merge.status, 409)
        assert.deepStrictEqual(merge.body.details.files, ["README"])
        assert.strictEqual(git(repos.primary, "worktree", "list").split("\n").length, 2)
      })
    )

    it.scoped("is rebased onto the commit that is named, if the base has it", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const { at, path, repos } = yield* scene("onto")
        commit(path, "feature")
        const onto = pushedByOther(repos, "first")
        pushedByOther(repos, "second")
        const rebased = yield* ask("POST", `${at}/rebase`, { body: { onto } })
        assert.deepInclude(rebased, { rebased: true, onto })
        assert.deepInclude(rebased.manifest, { baseCommit: onto, ahead: 1, behind: 1 })
        assert.strictEqual(git(path, "rev-parse", "HEAD~1"), onto)
        const elsewhere = git(path, "rev-parse", "HEAD")
        assert.strictEqual(
          (yield* request("POST", `${at}/rebase`, { body: { onto: elsewhere } })).status,
          409
        )
        assert.strictEqual((yield* request("POST", `${at}/rebase`, { body: { onto: "main" } })).status, 400)
        write(path, "README", "Changed\n")
        const dirty = yield* request("POST", `${at}/rebase`, { body: {} })
        assert.strictEqual(dirty.status, 409)
        assert.strictEqual(dirty.body.details.blockers[0].code, "dirty")
      })
    )

    it.scoped("is merged beside the primary checkout, which is not touched", () =>
      Effect.gen(function* () {
        const { directory, request } = yield* World
        const { at, path, repos } = yield* scene("merge")
        const head = commit(path, "feature")
        const base = pushedByOther(repos)
        write(repos.primary, "README", "Staged\n")
        git(repos.primary, "add", "README")
        write(repos.primary, "README", "Changed\n")
        const before = primaryState(repos)
        const merged = yield* ask("POST", `${at}/merge`)
        assert.isFalse(merged.fastForward)
        assert.strictEqual(atOrigin(repos), merged.commit)
        assert.strictEqual(git(repos.origin, "rev-parse", "main^1"), base)
        assert.strictEqual(git(repos.origin, "rev-parse", "main^2"), head)
        assert.deepStrictEqual(primaryState(repos), before)
        assert.isTrue(existsSync(`${directory}/worktrees`))
        assert.deepInclude(merged.cleanupPreview, { removable: true })
        assert.strictEqual((yield* request("POST", `${at}/merge`)).status, 409)
      })
    )

    it.scoped("is never pushed by force", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const { at, path, repos } = yield* scene("force")
        commit(path, "feature")
        yield* ask("POST", `${at}/pull-request`, { body: { base: "main" } })
        const pushed = git(path, "rev-parse", "HEAD")
        git(path, "commit", "--quiet", "--amend", "-m", "Another one")
        const answer = yield* request("POST", `${at}/pull-request`, { body: {} })
        assert.strictEqual(answer.status, 409)
        assert.deepInclude(answer.body.details, { reason: "non-fast-forward" })
        assert.strictEqual(atOrigin(repos, git(path, "branch", "--show-current")), pushed)
      })
    )

    it.scoped("can be offered as a pull request against its own base alone", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const { at, manifest, path, repos } = yield* scene("pull")
        const offer = (body: object) => request("POST", `${at}/pull-request`, { body })
        assert.strictEqual((yield* offer({})).status, 409)
        const head = commit(path, "feature")
        assert.strictEqual((yield* offer({ base: "other" })).status, 409)
        assert.strictEqual((yield* offer({ base: "a..b" })).status, 400)
        const { body, status } = yield* offer({ base: "main" })
        assert.strictEqual(status, 201)
        assert.deepInclude(body.pullRequest, { base: "main", branch: manifest.branch, commit: head })
        assert.strictEqual(atOrigin(repos, manifest.branch), head)
        assert.deepStrictEqual((yield* ask("GET", at)).manifest.pullRequest, body.pullRequest)
        yield* ask("POST", `${at}/merge`)
        yield* ask("DELETE", at)
        assert.strictEqual((yield* offer({})).status, 404)
      })
    )

    it.scoped("opens in the operator's editor, for a person at this machine", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const { at, path } = yield* scene("open")
        assert.deepStrictEqual(yield* ask("GET", `${at}/open`), { opened: true, path })
        const away = yield* request("GET", `${at}/open`, { headers: { "x-forwarded-for": "203.0.113.9" } })
        assert.strictEqual(away.status, 409)
        assert.strictEqual((yield* request("GET", `${at}/open`, { as: "read-only" })).status, 403)
      })
    )
  })

  it.scopedLive("is opened by GET and not by HEAD, which answers like it", () =>
    Effect.gen(function* () {
      const marker = join(yield* temporaryDirectory, "opened")
      const editor = ["sh", "-c", `echo opened >> ${marker}`] as const
      yield* Effect.gen(function* () {
        const { request } = yield* World
        const { at } = yield* scene("looked-at")
        assert.strictEqual((yield* request("HEAD", `${at}/open`)).status, 200)
        assert.strictEqual((yield* request("GET", `${at}/open`)).status, 200)
        yield* Effect.repeat(
          Effect.sync(() => existsSync(marker) && readFileSync(marker, "utf8") !== ""),
          { until: (written) => written, schedule: Schedule.spaced("20 millis") }
        )
        assert.strictEqual(readFileSync(marker, "utf8"), "opened\n")
      }).pipe(Effect.provide(world({ worktrees: { directory: undefined, editor, trashDays: 7 } })))
    })
  )

  it.scopedLive("is not opened where no editor is configured", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { at } = yield* scene("closed")
      const answer = yield* request("GET", `${at}/open`)
      assert.strictEqual(answer.status, 409)
      assert.include(answer.body.error, "SERVICE_EDITOR_COMMAND")
    }).pipe(Effect.provide(world({ worktrees: { directory: undefined, editor: undefined, trashDays: 7 } })))
  )
})
