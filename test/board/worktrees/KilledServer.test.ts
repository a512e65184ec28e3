import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { Step } from "../../../src/board/worktrees/WorktreeSteps.ts"
import { ask } from "../../support/Board.ts"
import { isLong } from "../../support/Form.ts"
import {
  atOrigin,
  commit,
  git,
  makeRepositories,
  pushedByOther,
  type Repositories,
  write
} from "../../support/Git.ts"
import { testKeys } from "../../support/Process.ts"
import { programs } from "../../support/Programs.ts"
import { type As, send, temporaryDirectory, World, worldIn } from "../../support/World.ts"

/** A server in a process of its own that is killed at a step; gives its address. */
const dyingServer = (directory: string, step: Step) =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [programs.dyingServer, directory, step], {
          env: { PATH: process.env["PATH"], ...testKeys },
          stdio: ["ignore", "pipe", "inherit"]
        })
      ),
      (process) => Effect.sync(() => process.kill("SIGKILL"))
    )
    const port = yield* Effect.async<string>((resume) => {
      child.stdout.on("data", (chunk: Buffer) => {
        const found = /port (\d+)/.exec(chunk.toString())?.[1]
        if (found !== undefined) resume(Effect.succeed(found))
      })
    })
    const end = Effect.async<NodeJS.Signals | null>((resume) => {
      if (child.signalCode !== null) return resume(Effect.succeed(child.signalCode))
      child.once("exit", (_, signal) => resume(Effect.succeed(signal)))
    })
    return { baseUrl: `http://127.0.0.1:${port}`, end }
  })

interface Scene extends Repositories {
  readonly id: string
  readonly at: string
  readonly path: string
  readonly head: string
  readonly base: string
}

/** Everything up to the request that kills: a task, and a worktree with a commit unless the request is to make it. */
const furnish = (repos: Repositories, baseUrl: string, withWorktree: boolean) =>
  Effect.gen(function* () {
    const post = (path: string, body: object, as: As = "admin") =>
      Effect.map(send(baseUrl, "POST", path, { as, body }), (answer) => answer.body)
    yield* post("/api/config/repos", { name: "app", path: repos.primary })
    const { id } = yield* post("/api/tasks", { title: "Live through it", git: { repo: "app" } })
    const at = `/api/tasks/${id}/worktree`
    const none = { ...repos, id, at, path: "", head: "", base: atOrigin(repos) }
    if (!withWorktree) return none
    const { manifest } = yield* post(at, {})
    const head = commit(manifest.path, "feature")
    const base = pushedByOther(repos)
    return { ...none, path: String(manifest.path), head, base }
  })

interface Death {
  readonly step: Step
  /** Set for the deaths that the ordinary run tries too: one of each kind of request. */
  readonly always?: true
  readonly request: (scene: Scene) => readonly [string, string, unknown?]
  readonly before?: (scene: Scene) => void
  /** What a git that died with the machine leaves, beside what the server leaves. */
  readonly meanwhile?: (scene: Scene) => void
  /** What must be true after the next start, and that the work can go on. */
  readonly after: (scene: Scene) => Effect.Effect<void, never, World>
}

const listed = ({ primary }: Scene): number => git(primary, "worktree", "list").split("\n").length
const leftovers = (directory: string) =>
  readdirSync(join(directory, "worktrees")).filter((name) => name.startsWith(".merge-"))

const takenBack: Death["after"] = (scene) =>
  Effect.gen(function* () {
    assert.strictEqual((yield* ask("GET", scene.at)).manifest.lifecycleState, "failed")
    assert.strictEqual(listed(scene), 1)
    assert.notProperty((yield* ask("GET", `/api/tasks/${scene.id}`)).git, "worktreePath")
    const again = yield* ask("POST", scene.at, { body: {} })
    assert.deepInclude(again.manifest, { lifecycleState: "active", baseCommit: scene.base })
  })

const untouched: Death["after"] = ({ at, path }) =>
  Effect.gen(function* () {
    const { cleanupPreview, manifest } = yield* ask("GET", at)
    assert.strictEqual(manifest.lifecycleState, "active")
    assert.strictEqual(readFileSync(join(path, "unsaved"), "utf8"), "precious\n")
    assert.strictEqual(cleanupPreview.findings.untracked, 1)
  })

const removed: Death["after"] = (scene) =>
  Effect.gen(function* () {
    const { manifest } = yield* ask("GET", scene.at)
    assert.strictEqual(manifest.lifecycleState, "deleted")
    assert.strictEqual(manifest.removal.reason, "Out of the way")
    assert.isFalse(existsSync(scene.path))
    assert.strictEqual(listed(scene), 1)
    assert.notProperty((yield* ask("GET", `/api/tasks/${scene.id}`)).git, "worktreePath")
    assert.strictEqual(git(scene.primary, "show", `${manifest.removal.recoverable.ref}:unsaved`), "precious")
    assert.strictEqual(git(scene.primary, "rev-parse", manifest.branch), scene.head)
    assert.strictEqual(readFileSync(join(manifest.removal.trash.path, "unsaved"), "utf8"), "precious\n")
  })

const rebasable: Death["after"] = ({ at, base, head, path }) =>
  Effect.gen(function* () {
    assert.strictEqual((yield* ask("GET", at)).manifest.lifecycleState, "active")
    assert.strictEqual(git(path, "status", "--porcelain"), "")
    assert.isTrue(existsSync(join(path, "feature")))
    const answer = yield* ask("POST", `${at}/rebase`, { body: {} })
    assert.deepInclude(answer, { onto: base })
    assert.strictEqual(git(path, "log", "--format=%s", "-1"), git(path, "log", "--format=%s", "-1", head))
  })

const force = ({ at }: Scene) => ["DELETE", `${at}?force=true&reason=Out%20of%20the%20way`] as const
const unsaved = ({ path }: Scene) => write(path, "unsaved", "precious\n")
const rebase = ({ at }: Scene) => ["POST", `${at}/rebase`, {}] as const
/** A rebase that lost its memory half way: detached, locked, and nothing to abort it by. */
const tear = ({ base, path }: Scene): void => {
  const gitDir = git(path, "rev-parse", "--absolute-git-dir")
  git(path, "fetch", "--quiet", "origin")
  git(path, "switch", "--quiet", "--detach", base)
  mkdirSync(join(gitDir, "rebase-merge"))
  writeFileSync(join(gitDir, "index.lock"), "")
}
const merge = ({ at }: Scene) => ["POST", `${at}/merge`] as const

const deaths: ReadonlyArray<Death> = [
  { step: "create:recorded", request: ({ at }) => ["POST", at, {}], after: takenBack },
  { step: "create:added", always: true, request: ({ at }) => ["POST", at, {}], after: takenBack },
  { step: "remove:recorded", before: unsaved, request: force, after: untouched },
  { step: "remove:moved", before: unsaved, request: force, after: removed },
  { step: "remove:saved", always: true, before: unsaved, request: force, after: removed },
  { step: "remove:unregistered", before: unsaved, request: force, after: removed },
  { step: "rebase:recorded", request: rebase, after: rebasable },
  { step: "rebase:done", request: rebase, after: rebasable },
  { step: "rebase:recorded", always: true, request: rebase, meanwhile: tear, after: rebasable },
  {
    step: "merge:added",
    request: merge,
    after: (scene) =>
      Effect.gen(function* () {
        const { directory } = yield* World
        assert.deepStrictEqual(leftovers(directory), [])
        assert.strictEqual(listed(scene), 2)
        assert.strictEqual(atOrigin(scene), scene.base)
        const merged = yield* ask("POST", `${scene.at}/merge`)
        assert.strictEqual(atOrigin(scene), merged.commit)
      })
  },
  {
    step: "merge:pushed",
    always: true,
    request: merge,
    after: (scene) =>
      Effect.gen(function* () {
        const { directory, request } = yield* World
        assert.deepStrictEqual(leftovers(directory), [])
        assert.strictEqual(git(scene.origin, "merge-base", scene.head, "main"), scene.head)
        assert.strictEqual((yield* request("POST", `${scene.at}/merge`)).status, 409)
        yield* ask("DELETE", scene.at)
      })
  }
]

describe("a server that is killed at work on a worktree", () => {
  it.scopedLive.each(deaths.filter(({ always }) => isLong || always))(
    "puts it right at its next start: $step",
    ({ after, before, meanwhile, request, step }) =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const repos = makeRepositories(yield* temporaryDirectory)
        const server = yield* dyingServer(directory, step)
        const scene = yield* furnish(repos, server.baseUrl, !step.startsWith("create"))
        before?.(scene)
        const [method, path, body] = request(scene)
        const answer = yield* Effect.exit(send(server.baseUrl, method, path, { as: "admin", body }))
        assert.isTrue(Exit.isFailure(answer), "the server outlived the step")
        assert.strictEqual(yield* server.end, "SIGKILL")
        meanwhile?.(scene)
        yield* after(scene).pipe(Effect.provide(worldIn(directory)))
      })
  )
})
