import { existsSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../support/Board.ts"
import {
  atOrigin,
  commit,
  configure,
  git,
  pushedByOther,
  repositories,
  taskOf,
  withWorktree,
  write
} from "../../support/Git.ts"
import { forget, marks, plant, plantInside } from "../../support/HostileGit.ts"
import { World, world } from "../../support/World.ts"

describe("a hostile repository", () => {
  it.scopedLive("gets none of its programs to run, whatever is done with it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const repos = yield* repositories
      const planted = [...plant(repos)]
      const rest = (step: string) => assert.deepStrictEqual(marks(repos), [], step)

      const verdict = yield* ask("POST", "/api/config/repos/validate", {
        as: "admin",
        body: { path: repos.primary, defaultBranch: "main" }
      })
      assert.deepInclude(verdict, { valid: true, errors: [] })
      rest("validate")
      yield* configure(repos)
      yield* ask("GET", "/api/config/repos/app/branches")
      rest("branches")

      const { id, path } = yield* withWorktree()
      const at = `/api/tasks/${id}/worktree`
      rest("create")
      planted.push(...plantInside(repos, path))
      const hushed = [
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "commit.gpgSign=false"
      ]
      yield* ask("GET", at)
      yield* ask("GET", `${at}/cleanup-preview`)
      rest("status")

      // A commit that brings work for every filter, made without git's own eyes on the configuration.
      const bare = makeCommit(path, hushed)
      pushedByOther(repos, "elsewhere.od")
      // What a person's own git set off is no concern of the service.
      forget(repos)
      const rebased = yield* ask("POST", `${at}/rebase`, { body: {} })
      assert.isTrue(rebased.rebased)
      assert.notStrictEqual(rebased.head, bare)
      rest("rebase")
      pushedByOther(repos, "elsewhere.inc")
      forget(repos)
      assert.isFalse((yield* ask("POST", `${at}/merge`)).fastForward)
      rest("merge")
      const wanted = yield* request("POST", `${at}/pull-request`, { body: {} })
      assert.oneOf(wanted.status, [201, 409])
      rest("pull request")

      write(path, "b.scoped")
      write(path, "c.dot")
      symlinkSync("/etc/passwd", join(path, "outside"))
      assert.strictEqual((yield* request("DELETE", at)).status, 409)
      rest("a removal that is refused")
      const removed = yield* ask("DELETE", `${at}?force=true&reason=Hostile`, { as: "admin" })
      rest("a forced removal")
      const { ref } = removed.removal.recoverable
      assert.strictEqual(
        git(repos.origin, "--git-dir", join(repos.primary, ".git"), "show", `${ref}:c.dot`),
        "c.dot"
      )
      assert.strictEqual(
        git(repos.origin, "--git-dir", join(repos.primary, ".git"), "cat-file", "-p", `${ref}:outside`),
        "/etc/passwd"
      )
      assert.strictEqual(readFileSync(join(repos.root, "elsewhere/precious"), "utf8"), "elsewhere/precious\n")
      assert.isFalse(existsSync(path))
      assert.isAtLeast(planted.length, 60)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("would get them to run by a git that obeys it", () =>
    Effect.gen(function* () {
      const repos = yield* repositories
      plant(repos)
      git(repos.primary, "config", "--unset", "core.hooksPath")
      for (const key of ["remote.origin.uploadpack", "remote.origin.receivepack"]) {
        git(repos.primary, "config", "--unset", key)
      }
      git(repos.primary, "config", "--unset", "filter.plain.process")
      git(repos.primary, "config", "--remove-section", `remote.${repos.origin}`)
      yield* Effect.ignore(
        Effect.try(() => {
          git(repos.primary, "fetch", "--quiet", "origin")
          git(repos.primary, "worktree", "add", "--quiet", join(repos.root, "w"), "origin/main")
        })
      )
      yield* Effect.ignore(Effect.try(() => git(repos.primary, "status")))
      yield* Effect.ignore(Effect.try(() => git(repos.primary, "push", "origin", "HEAD:refs/heads/b")))
      assert.includeMembers(
        [...marks(repos)],
        [
          "filter.plain.smudge",
          "hooks.post-checkout",
          "include.fsmonitor",
          "hooks.pre-push",
          "hooks.reference-transaction",
          "origin.pre-receive"
        ]
      )
    }).pipe(Effect.provide(world()))
  )

  const refused: ReadonlyArray<readonly [string, string, string]> = [
    ["an ext helper", "remote.origin.url", "ext::sh -c touch% MARK"],
    ["an unknown helper", "remote.origin.url", "evil::/somewhere"],
    ["the git protocol", "remote.origin.url", "git://example.com/x"],
    ["plain http", "remote.origin.url", "http://127.0.0.1:1/x"],
    ["ftp", "remote.origin.url", "ftp://127.0.0.1:1/x"],
    ["an option for a URL", "remote.origin.url", "--upload-pack=touch MARK"],
    ["an option for a host", "remote.origin.url", "ssh://-oProxyCommand=touch MARK/x"],
    ["an option for a user and a host", "remote.origin.url", "ssh://me@-oProxyCommand=touch MARK/x"],
    ["an option for a short host", "remote.origin.url", "-oProxyCommand=touch MARK:x"],
    ["a file on another host", "remote.origin.url", "file://example.com/x"],
    ["a control character", "remote.origin.url", "/tmp/a\nb"],
    ["rewritten URLs", "url.ext::sh -c touch% MARK.insteadOf", "/"],
    ["rewritten URLs of a push", "url./elsewhere.pushInsteadOf", "/"],
    ["another place to push to", "remote.origin.pushUrl", "/elsewhere"],
    ["a remote that a program speaks for", "remote.origin.url", "ext::MARK"]
  ]

  it.scopedLive("is not fetched from by way of a program", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const repos = yield* repositories
      yield* configure(repos)
      const { id } = yield* taskOf()
      const mark = join(repos.root, "mark")
      for (const [name, key, value] of refused) {
        const named = key.replaceAll("MARK", mark)
        git(repos.primary, "config", named, value.replaceAll("MARK", mark))
        const answer = yield* request("POST", `/api/tasks/${id}/worktree`, { body: {} })
        assert.strictEqual(answer.status, 409, `${name}: ${JSON.stringify(answer.body)}`)
        assert.isFalse(existsSync(mark), name)
        git(repos.primary, "config", "--unset", named)
        git(repos.primary, "config", "remote.origin.url", repos.origin)
      }
      yield* ask("POST", `/api/tasks/${id}/worktree`, { body: {} })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("can't lead a worktree elsewhere once it is made", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const repos = yield* repositories
      yield* configure(repos)
      const { id, path } = yield* withWorktree()
      const before = atOrigin(repos)
      commit(path, "feature")
      git(repos.primary, "remote", "set-url", "origin", repos.other)
      const answer = yield* request("POST", `/api/tasks/${id}/worktree/merge`)
      assert.strictEqual(answer.status, 409)
      assert.include(answer.body.error, "another one")
      assert.strictEqual(atOrigin(repos), before)
    }).pipe(Effect.provide(world()))
  )
})

/** A commit that a person makes with the hostile programs off. */
const makeCommit = (path: string, hushed: ReadonlyArray<string>): string => {
  const worktree = ["-c", `core.worktree=${path}`]
  write(path, "feature.od")
  write(path, "feature.txt")
  for (const file of ["feature.od", "feature.txt", ".gitattributes"]) {
    const blob = git(path, ...hushed, ...worktree, "hash-object", "-w", "--no-filters", file)
    git(path, ...hushed, ...worktree, "update-index", "--add", "--cacheinfo", `100644,${blob},${file}`)
  }
  const tree = git(path, ...hushed, ...worktree, "write-tree")
  const made = git(path, ...hushed, ...worktree, "commit-tree", tree, "-p", "HEAD", "-m", "Feature")
  git(path, ...hushed, ...worktree, "update-ref", "HEAD", made)
  return made
}
