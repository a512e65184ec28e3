import { existsSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../support/Board.ts"
import {
  atOrigin,
  commit,
  configure,
  git,
  makeRepositories,
  pushedByOther,
  withWorktree,
  write
} from "../../support/Git.ts"
import { temporaryDirectory, World, world } from "../../support/World.ts"

const scene = (name: string) =>
  Effect.gen(function* () {
    const { request } = yield* World
    const repos = makeRepositories(yield* temporaryDirectory)
    yield* configure(repos, name)
    const { created, id, path } = yield* withWorktree(name)
    const at = `/api/tasks/${id}/worktree`
    const rebase = request("POST", `${at}/rebase`, { body: {} })
    return { repos, path, at, rebase, branch: String(created.manifest.branch) }
  })

/** Lets a command of git fail, as one that stops at a conflict does. */
const stopping = (does: () => unknown): void => {
  try {
    does()
  } catch {
    // It stopped, as it was to.
  }
}

describe("a rebase", () => {
  layer(world(), { excludeTestServices: true })((it) => {
    it.scoped("that meets conflicts names the way on, which leads to the merge", () =>
      Effect.gen(function* () {
        const { at, path, rebase, repos } = yield* scene("way-on")
        commit(path, "README", "Mine\n")
        const onto = pushedByOther(repos, "README", "Theirs\n")
        const refused = yield* rebase
        assert.strictEqual(refused.status, 409)
        assert.deepInclude(refused.body.details, { files: ["README"], onto })
        assert.include(refused.body.error, `git rebase ${onto}`)
        assert.deepStrictEqual((yield* rebase).body, refused.body)

        stopping(() => git(path, "rebase", "--quiet", onto))
        const halfWay = yield* rebase
        assert.strictEqual(halfWay.status, 409)
        assert.include(halfWay.body.error, "git rebase --continue")
        write(path, "README", "Ours\n")
        git(path, "add", "README")
        git(path, "-c", "core.editor=true", "rebase", "--continue")
        const { body, status } = yield* rebase
        assert.strictEqual(status, 200, JSON.stringify(body))
        assert.deepInclude(body, { rebased: false, onto })
        const merged = yield* ask("POST", `${at}/merge`)
        assert.isTrue(merged.fastForward)
        assert.strictEqual(atOrigin(repos), merged.commit)
      })
    )

    it.scoped("that a merge with conflicts asks for is the same way", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const { at, path, repos } = yield* scene("merge-way")
        commit(path, "README", "Mine\n")
        const onto = pushedByOther(repos, "README", "Theirs\n")
        const refused = yield* request("POST", `${at}/merge`)
        assert.strictEqual(refused.status, 409)
        assert.deepInclude(refused.body.details, { operation: "merge", onto })
        stopping(() => git(path, "rebase", "--quiet", onto))
        write(path, "README", "Ours\n")
        git(path, "add", "README")
        git(path, "-c", "core.editor=true", "rebase", "--continue")
        assert.isTrue((yield* ask("POST", `${at}/merge`)).fastForward)
      })
    )

    it.scoped("does not touch what somebody began by hand, and says how to end it", () =>
      Effect.gen(function* () {
        const { at, branch, path, rebase, repos } = yield* scene("by-hand")
        commit(path, "README", "Mine\n")
        pushedByOther(repos, "README", "Theirs\n")
        git(path, "fetch", "--quiet", "origin")

        stopping(() => git(path, "rebase", "--quiet", "origin/main"))
        write(path, "README", "Half resolved\n")
        // An edited list of commands is nobody's business but of whoever edited it.
        const todo = join(git(path, "rev-parse", "--absolute-git-dir"), "rebase-merge/git-rebase-todo")
        writeFileSync(todo, `exec touch ${join(repos.root, "pwned")}\n`)
        const refused = yield* rebase
        assert.strictEqual(refused.status, 409)
        assert.deepInclude(
          refused.body.details.blockers.map(({ code }: { code: string }) => code),
          "unfinished"
        )
        assert.include(refused.body.error, "git rebase --abort")
        assert.strictEqual(readFileSync(join(path, "README"), "utf8"), "Half resolved\n")
        assert.isFalse(existsSync(join(repos.root, "pwned")))
        git(path, "rebase", "--abort")

        stopping(() => git(path, "merge", "--quiet", "origin/main"))
        const merging = yield* rebase
        assert.strictEqual(merging.status, 409)
        assert.include(merging.body.error, "git merge --abort")
        assert.strictEqual((yield* ask("GET", at)).cleanupPreview.findings.unfinished, "merge")
        git(path, "merge", "--abort")

        git(path, "switch", "--quiet", "--detach")
        const detached = yield* rebase
        assert.strictEqual(detached.status, 409)
        assert.include(detached.body.error, "Switch back")
        git(path, "switch", "--quiet", branch)
        write(path, "README", "Changed\n")
        const dirty = yield* rebase
        assert.strictEqual(dirty.status, 409)
        assert.include(dirty.body.error, "Commit or stash")
        git(path, "restore", "README")
        git(path, "reset", "--quiet", "--hard", "HEAD~1")
        assert.strictEqual((yield* rebase).status, 200)
      })
    )

    it.scoped("moves on from a state that a killed git left, however little is left of it", () =>
      Effect.gen(function* () {
        const { at, path, rebase, repos } = yield* scene("cut-short")
        const head = commit(path, "README", "Mine\n")
        const onto = pushedByOther(repos, "README", "Theirs\n")
        const gitDir = git(path, "rev-parse", "--absolute-git-dir")
        // The conflict makes the service take its rebase back; a lock and a torn state stand in its way.
        mkdirSync(join(gitDir, "rebase-apply"))
        const torn = yield* rebase
        assert.strictEqual(torn.status, 409)
        assert.include(torn.body.error, "git rebase --abort")
        git(path, "rebase", "--quit")
        assert.strictEqual((yield* rebase).body.details.onto, onto)
        assert.strictEqual(git(path, "rev-parse", "HEAD"), head)
        assert.strictEqual((yield* ask("GET", at)).manifest.lifecycleState, "active")
      })
    )

    it.scoped("and every other look sees an edit of the same size and time", () =>
      Effect.gen(function* () {
        const { at, path, rebase, repos } = yield* scene("same-size")
        git(repos.primary, "config", "core.checkStat", "minimal")
        git(repos.primary, "config", "core.trustctime", "false")
        commit(path, "feature", "one\n")
        pushedByOther(repos)
        const file = join(path, "feature")
        // The index must be older than the file, else git looks at the content anyway.
        const past = statSync(file).mtimeMs / 1_000 - 60
        utimesSync(file, past, past)
        git(path, "status")
        const { atime, mtime } = statSync(file)
        // As an editor writes: a file beside it that takes its place.
        writeFileSync(`${file}.new`, "two\n")
        utimesSync(`${file}.new`, atime, mtime)
        renameSync(`${file}.new`, file)
        assert.strictEqual(git(path, "status", "--porcelain"), "", "a git that obeys does not see it")
        assert.strictEqual((yield* ask("GET", at)).cleanupPreview.findings.dirty, 1)
        const refused = yield* rebase
        assert.strictEqual(refused.status, 409)
        assert.strictEqual(refused.body.details.blockers[0].code, "dirty")
        assert.strictEqual(readFileSync(file, "utf8"), "two\n")
      })
    )

    it.scoped("of a branch that was offered already names a way for the push, too", () =>
      Effect.gen(function* () {
        const { request } = yield* World
        const { at, branch, path, rebase, repos } = yield* scene("offered")
        commit(path, "feature")
        yield* ask("POST", `${at}/pull-request`, { body: {} })
        pushedByOther(repos)
        assert.isTrue((yield* rebase).body.rebased)
        const refused = yield* request("POST", `${at}/pull-request`, { body: {} })
        assert.strictEqual(refused.status, 409)
        assert.include(refused.body.error, `git pull --no-rebase origin ${branch}`)
        git(path, "pull", "--quiet", "--no-rebase", "--no-edit", "origin", branch)
        yield* ask("POST", `${at}/pull-request`, { body: {} })
      })
    )
  })
})
