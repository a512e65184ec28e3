import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { ask, createTask } from "./Board.ts"
import { temporaryDirectory } from "./World.ts"

const environment = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.com"
}

/** Runs git as a person does, with all that the repository configures. */
export const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, {
    cwd,
    env: environment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"]
  }).trim()

/** Writes a file, and the folders that it needs. */
export const write = (directory: string, file: string, content = `${file}\n`): void => {
  mkdirSync(dirname(join(directory, file)), { recursive: true })
  writeFileSync(join(directory, file), content)
}

/** Writes a file and commits it; gives the commit. */
export const commit = (directory: string, file: string, content?: string): string => {
  write(directory, file, content)
  git(directory, "add", "--", file)
  git(directory, "commit", "--quiet", "-m", `Write ${file}`)
  return git(directory, "rev-parse", "HEAD")
}

/** A repository with a bare origin and somebody else's clone of it. */
export interface Repositories {
  readonly root: string
  readonly primary: string
  readonly origin: string
  readonly other: string
}

const placesIn = (root: string): Repositories => ({
  root,
  primary: join(root, "primary"),
  origin: join(root, "origin.git"),
  other: join(root, "other")
})

/** The three repositories as git makes them. */
const firstRepositories = (root: string): Repositories => {
  const places = placesIn(root)
  const { origin, other, primary } = places
  git(root, "init", "--quiet", "--bare", "--initial-branch=main", origin)
  git(root, "init", "--quiet", "--initial-branch=main", primary)
  write(primary, ".gitignore", "ignored/\n")
  git(primary, "add", ".gitignore")
  commit(primary, "README", "Hello\n")
  git(primary, "remote", "add", "origin", origin)
  git(primary, "push", "--quiet", "origin", "main")
  git(root, "clone", "--quiet", origin, other)
  return places
}

/** Where this process has made the repositories that all others are copies of. */
let template: Repositories | undefined

const templateOf = (): Repositories => {
  if (template === undefined) {
    const root = mkdtempSync(join(tmpdir(), "muster-git-"))
    process.once("exit", () => rmSync(root, { recursive: true, force: true }))
    template = firstRepositories(root)
  }
  return template
}

/**
 * Makes the three repositories in a directory: `main` has one commit, and all of them have it. They are copies, which
 * cost a tenth of the commands; only the address of the origin is their own.
 */
export const makeRepositories = (root: string): Repositories => {
  const made = templateOf()
  const places = placesIn(root)
  cpSync(made.root, root, { recursive: true })
  for (const clone of [places.primary, places.other]) {
    const file = join(clone, ".git", "config")
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(made.origin, places.origin))
  }
  return places
}

/** Fresh repositories, gone when the test is over. */
export const repositories = Effect.map(temporaryDirectory, makeRepositories)

/** Somebody else pushes a commit to `main`; gives the commit. */
export const pushedByOther = ({ other }: Repositories, file = "elsewhere", content?: string): string => {
  git(other, "pull", "--quiet", "origin", "main")
  const made = commit(other, file, content)
  git(other, "push", "--quiet", "origin", "main")
  return made
}

/** The commit of a branch at origin. */
export const atOrigin = ({ origin }: Repositories, branch = "main"): string =>
  git(origin, "rev-parse", branch)

/** Adds the repository to the board under a name. */
export const configure = ({ primary }: Repositories, name = "app") =>
  ask("POST", "/api/config/repos", { as: "admin", body: { name, path: primary } })

/** A task of a repository that the board knows. */
export const taskOf = (name = "app", fields: Readonly<Record<string, unknown>> = {}) =>
  createTask({ git: { repo: name, ...fields } })

/** A task with a worktree; gives the creation's answer with the id of the task. */
export const withWorktree = (name = "app") =>
  Effect.gen(function* () {
    const { id } = yield* taskOf(name)
    const created = yield* ask("POST", `/api/tasks/${id}/worktree`, { body: {} })
    return { id: String(id), path: String(created.manifest.path), created }
  })
