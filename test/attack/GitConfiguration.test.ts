import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { settings } from "../../src/kernel/git/Configuration.ts"
import { Git, type Place } from "../../src/kernel/git/Git.ts"
import { ask } from "../support/Board.ts"
import { isFull } from "../support/Form.ts"
import {
  commit,
  configure,
  git,
  pushedByOther,
  repositories,
  taskOf,
  withWorktree,
  write
} from "../support/Git.ts"
import {
  asFile,
  documentedKeys,
  hostile,
  type Planted,
  plantIn,
  undocumentedKeys
} from "../support/HostileConfiguration.ts"
import { marks } from "../support/HostileGit.ts"
import { temporaryDirectory, World, world } from "../support/World.ts"

/*
 * Nothing that a repository configures runs, formats or hides anything. The keys are git's own list (see
 * HostileConfiguration.ts); every one of them is classified here by what the service does with it: the few that it reads
 * as data are named, and all others never reach git. A key that a newer git brings is one of those others until somebody
 * writes otherwise, and this test asks git itself what it sees.
 */

/** Keys that the service reads as data, and what it does with them. Whatever else stands in a repository is unread. */
const readAsData: Readonly<Record<string, string>> = {
  "core.repositoryFormatVersion": "0 or 1, anything else is refused",
  "core.bare": "true or false",
  "core.sharedRepository": "group or all",
  "core.worktree": "compared with the path of the repository",
  "extensions.objectFormat": "sha1 or sha256, anything else is refused",
  "remote.<name>.url": "of origin: https, ssh or a path, given to git as an argument",
  "remote.<name>.pushurl": "of origin: another one than its url is refused",
  "url.<base>.insteadOf": "refused",
  "url.<base>.pushInsteadOf": "refused"
}

const everyKey = [...documentedKeys, ...undocumentedKeys]
const unread = everyKey.filter((key) => readAsData[key] === undefined)

/** What git, as the service runs it, finds configured at a place. */
const seen = (at: Place) =>
  Effect.flatMap(Git, (git) =>
    Effect.map(git.text({ at, args: ["config", "--list", "-z"] }), (output) =>
      output.split("\0").filter((record) => record !== "")
    )
  )

/** Somebody works in a worktree while its repository, the worktree itself and what they include turn hostile. */
const places = ["repository", "worktree", "included", "later"] as const
type Where = (typeof places)[number]

const walk = (keys: ReadonlyArray<string>, where: ReadonlySet<Where>) =>
  Effect.gen(function* () {
    const { request } = yield* World
    const repos = yield* repositories
    const nothingRan = (step: string) => assert.deepStrictEqual(marks(repos), [], step)
    const shared = join(repos.primary, ".git/config")
    const at = (place: Where): ReadonlyArray<Planted> =>
      where.has(place) ? hostile(repos.root, place, keys) : []
    const included = join(repos.root, "included")
    const lead = (section: string, subsection?: string): Planted => ({
      key: "",
      section,
      ...(subsection === undefined ? {} : { subsection }),
      name: "path",
      value: included
    })
    const leads = where.has("included")
      ? [lead("include"), lead("includeIf", "gitdir:**"), lead("includeIf", "onbranch:**")]
      : []
    plantIn(included, at("included"))
    const primary = plantIn(shared, [...at("repository"), ...leads])
    const origin = plantIn(join(repos.origin, "config"), at("repository"))
    const calmly = <A>(does: () => A): A => primary.calmly(() => origin.calmly(does))

    const verdict = yield* ask("POST", "/api/config/repos/validate", {
      as: "admin",
      body: { path: repos.primary, defaultBranch: "main" }
    })
    assert.deepInclude(verdict, { valid: true, errors: [] })
    yield* configure(repos)
    yield* ask("GET", "/api/config/repos/app/branches")
    nothingRan("validate and branches")

    const { id, path } = yield* withWorktree()
    nothingRan("create")
    const own = join(repos.primary, ".git/worktrees", path.split("/").at(-1) ?? "", "config.worktree")
    plantIn(own, at("worktree"))
    const extension: Planted = { key: "", section: "extensions", name: "worktreeConfig", value: "true" }
    plantIn(shared, [extension, ...at("later")])

    const route = `/api/tasks/${id}/worktree`
    calmly(() => commit(path, "feature"))
    calmly(() => pushedByOther(repos, "elsewhere"))
    write(path, "untracked")
    yield* ask("GET", route)
    yield* ask("GET", `${route}/cleanup-preview`)
    yield* ask("GET", "/api/tasks/worktrees/cleanup-preview")
    nothingRan("looks")
    const rebased = yield* ask("POST", `${route}/rebase`, { body: {} })
    assert.isTrue(rebased.rebased)
    nothingRan("rebase")
    yield* ask("POST", `${route}/pull-request`, { body: {} })
    nothingRan("pull request")
    calmly(() => pushedByOther(repos, "further"))
    assert.isFalse((yield* ask("POST", `${route}/merge`)).fastForward)
    nothingRan("merge")
    calmly(() => commit(path, "README", "Mine\n"))
    calmly(() => pushedByOther(repos, "README", "Theirs\n"))
    assert.strictEqual((yield* request("POST", `${route}/rebase`, { body: {} })).status, 409)
    nothingRan("a rebase with conflicts")
    assert.strictEqual((yield* request("DELETE", route)).status, 409)
    const removed = yield* ask("DELETE", `${route}?force=true&reason=Hostile`, { as: "admin" })
    nothingRan("removal")
    const saved = calmly(() => git(repos.primary, "show", `${removed.removal.recoverable.ref}:untracked`))
    assert.strictEqual(saved, "untracked")

    const byHand = join(repos.root, "by-hand")
    calmly(() => git(repos.primary, "worktree", "add", "--quiet", "-b", "legacy", byHand, "origin/main"))
    const adopted = yield* taskOf("app")
    yield* ask("POST", `/api/tasks/${adopted.id}/worktree/adopt`, {
      as: "admin",
      body: { path: byHand, branch: "legacy" }
    })
    nothingRan("adopt")
  }).pipe(Effect.provide(world()))

const sections = [...new Set(unread.map((key) => key.split(".")[0]?.toLowerCase() ?? ""))]
const groups = Array.from({ length: Math.ceil(sections.length / 8) }, (_, index) =>
  sections.slice(index * 8, index * 8 + 8)
)
const walks = isFull
  ? places.flatMap((place) =>
      groups.map((group) => ({
        name: `${place}: ${group.join(", ")}`,
        keys: unread.filter((key) => group.includes(key.split(".")[0]?.toLowerCase() ?? "")),
        where: new Set<Where>([place])
      }))
    )
  : [{ name: "every key in every place", keys: unread, where: new Set<Where>(places) }]

describe("the configuration of a repository, key by key of git's own documentation", () => {
  it("is known to git by the names that are classified here", () => {
    assert.isAbove(documentedKeys.length, 500)
    const known = new Set(everyKey)
    for (const key of Object.keys(readAsData)) assert.isTrue(known.has(key), key)
    const documented = new Set(documentedKeys.map((key) => key.toLowerCase()))
    // What the service sets must be settings of git and no misspelling of one; newer ones are no part of older lists.
    const newer = new Set(["rebase.rebasemerges", "transfer.bundleuri"])
    for (const key of Object.keys(settings)) {
      assert.isTrue(documented.has(key.toLowerCase()) || newer.has(key.toLowerCase()), key)
    }
  })

  it.scopedLive("is seen by git nowhere, whichever key and wherever it stands", () =>
    Effect.gen(function* () {
      const repos = yield* repositories
      const path = join(repos.root, "by-hand")
      git(repos.primary, "worktree", "add", "--quiet", "-b", "legacy", path, "main")
      const commonDir = join(repos.primary, ".git")
      const gitDir = join(commonDir, "worktrees/by-hand")
      const repository: Place = { directory: commonDir, gitDir: commonDir, commonDir }
      const worktree: Place = { directory: path, gitDir, commonDir, workTree: path }
      const calm = yield* seen(repository)
      plantIn(join(commonDir, "config"), hostile(repos.root, "repository", unread))
      plantIn(join(gitDir, "config.worktree"), hostile(repos.root, "worktree", unread))
      assert.deepStrictEqual(yield* seen(repository), calm)
      assert.deepStrictEqual(yield* seen(worktree), calm)
      const set = Object.entries(settings).map(([key, value]) => `${key.toLowerCase()}\n${value}`)
      const facts = ["core.repositoryformatversion\n0", "core.bare\nfalse"]
      const lower = calm.map((record) => record.replace(/^[^\n]*/, (key) => key.toLowerCase()))
      assert.sameMembers([...lower], [...facts, ...set])
    }).pipe(
      Effect.provide(
        Layer.unwrapScoped(Effect.map(temporaryDirectory, (home) => Git.layer(home))).pipe(
          Layer.provide(NodeContext.layer)
        )
      )
    )
  )

  it.scopedLive.each(walks)(
    "runs nothing on any route: $name",
    ({ keys, where }) => walk(keys, where),
    120_000
  )

  it.scopedLive("would run, format and hide by a git that obeys it", () =>
    Effect.gen(function* () {
      const repos = yield* repositories
      const [program] = hostile(repos.root, "obeyed", ["rebase.instructionFormat"])
      if (program === undefined) return assert.fail("no program")
      git(repos.primary, "switch", "--quiet", "-c", "feature")
      commit(repos.primary, "feature")
      pushedByOther(repos)
      git(repos.primary, "fetch", "--quiet", "origin")
      write(repos.primary, ".git/config", `${asFile([program])}[core]\n\trepositoryformatversion = 0\n`)
      git(repos.primary, "rebase", "--quiet", "refs/remotes/origin/main")
      assert.deepStrictEqual(marks(repos), ["obeyed.rebase.instructionFormat"])
    })
  )
})
