import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { commit, git, makeRepositories } from "../../support/Git.ts"
import { type Ask, given, just, type Scenario } from "./Scenario.ts"

/** One set of repositories for all scenarios, gone with the process. */
let primary: string | undefined
const repository = (): string => {
  if (primary === undefined) {
    const root = mkdtempSync(join(tmpdir(), "muster-scenarios-"))
    process.once("exit", () => rmSync(root, { recursive: true, force: true }))
    primary = makeRepositories(root).primary
  }
  return primary
}

const post = (ask: Ask, path: string, body: object = {}) =>
  Effect.map(ask("POST", path, { as: "admin", body }), (answer) => answer.body)

const aRepo = (ask: Ask) => post(ask, "/api/config/repos", { name: `r-${randomUUID()}`, path: repository() })

const aTaskOfRepo = (ask: Ask) =>
  Effect.flatMap(aRepo(ask), ({ name }) =>
    post(ask, "/api/tasks", { title: "Branch off", git: { repo: name } })
  )

const aWorktree = (ask: Ask) =>
  Effect.gen(function* () {
    const { id } = yield* aTaskOfRepo(ask)
    const { manifest } = yield* post(ask, `/api/tasks/${id}/worktree`)
    return { id: String(id), path: String(manifest.path) }
  })

const withCommit = (ask: Ask) =>
  Effect.tap(aWorktree(ask), ({ path }) => Effect.sync(() => commit(path, `file-${randomUUID()}`)))

const byHand = (ask: Ask) =>
  Effect.map(aTaskOfRepo(ask), ({ id }) => {
    const branch = `hand-${randomUUID()}`
    const path = join(repository(), "..", branch)
    git(repository(), "fetch", "--quiet", "origin")
    git(repository(), "worktree", "add", "--quiet", "-b", branch, path, "origin/main")
    return { id, body: { path, branch } }
  })

const ofRepo = given(aRepo, ({ name }) => ({ path: { name } }))
const ofWorktree = given(aWorktree, ({ id }) => ({ path: { id } }))

/** Repositories and worktrees: real ones, with a real origin. */
export const worktrees: Readonly<Record<string, Scenario>> = {
  "repos.list": given(aRepo, () => ({})),
  "repos.add": () => Effect.sync(() => ({ body: { name: `r-${randomUUID()}`, path: repository() } })),
  "repos.patch": given(aRepo, ({ name }) => ({ path: { name }, body: { defaultBranch: "main" } })),
  "repos.remove": ofRepo,
  "repos.validate": () => Effect.sync(() => ({ body: { path: repository() }, links: 0 })),
  "repos.branches": ofRepo,
  "worktrees.candidates": just({ query: "?limit=5" }),
  "worktrees.create": given(aTaskOfRepo, ({ id }) => ({ path: { id }, body: {}, links: 3 })),
  "worktrees.adopt": given(byHand, ({ body, id }) => ({ path: { id }, body, links: 2 })),
  "worktrees.status": ofWorktree,
  "worktrees.preview": ofWorktree,
  "worktrees.remove": given(aWorktree, ({ id }) => ({ path: { id }, links: 4 })),
  "worktrees.rebase": given(aWorktree, ({ id }) => ({ path: { id }, body: {} })),
  "worktrees.merge": given(withCommit, ({ id }) => ({ path: { id } })),
  "worktrees.requestPullRequest": given(withCommit, ({ id }) => ({ path: { id }, body: { base: "main" } })),
  "worktrees.open": ofWorktree
}
