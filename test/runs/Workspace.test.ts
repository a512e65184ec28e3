import { createHash } from "node:crypto"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../support/Board.ts"
import { commit, configure, git, repositories, withWorktree, write } from "../support/Git.ts"
import { complete, registerCodex, shownSuccess, start } from "../support/Runs.ts"
import { sharedWorld } from "../support/SharedWorld.ts"

const shared = sharedWorld()

/** A task with a worktree in a repository of its own. */
const furnish = (name: string, policy: object = {}) =>
  Effect.gen(function* () {
    yield* registerCodex
    const repos = yield* repositories
    yield* configure(repos, name)
    const { id, path } = yield* withWorktree(name)
    yield* ask("PATCH", `/api/tasks/${id}`, { body: { executionPolicy: policy } })
    return { id, path, repos }
  })

const begin = (id: string) =>
  Effect.gen(function* () {
    const answer = yield* start(id)
    assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
    const { attemptId, providerRuntimeManifestDigest: digest } = answer.body
    return { taskId: id, attemptId, digest }
  })

const resultOf = (
  running: { taskId: string; attemptId: string; digest: string },
  claims: object = shownSuccess
) =>
  Effect.map(complete(running, claims), ({ body, status }) => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.completionResult
  })

const codes = (result: { degradations: ReadonlyArray<{ code: string }> }) =>
  result.degradations.map(({ code }) => code)

describe("the baseline of a workspace", () => {
  it.scopedLive(
    "is its head and what differs from it: changed, staged and untracked files, not ignored ones",
    () =>
      Effect.gen(function* () {
        const { id, path } = yield* furnish("baseline")
        write(path, "README", "Changed\n")
        write(path, "staged", "first\n")
        git(path, "add", "staged")
        write(path, "staged", "second\n")
        write(path, "untracked", "new\n")
        write(path, "ignored/.env", "KEY=1\n")
        writeFileSync(join(path, ".gitignore"), "ignored/\n")
        symlinkSync("/etc/passwd", join(path, "link"))
        yield* begin(id)
        const { taskEnvelope } = yield* ask("GET", `/api/agents/${id}/status`)
        const { baseline } = taskEnvelope.workspace
        assert.strictEqual(taskEnvelope.workspace.path, path)
        assert.strictEqual(baseline.headSha, git(path, "rev-parse", "HEAD"))
        assert.isTrue(baseline.dirty)
        const file = (name: string) => baseline.files.find((one: { path: string }) => one.path === name)
        const sha = (content: string) => createHash("sha256").update(content).digest("hex")
        assert.deepInclude(file("README"), {
          status: " M",
          indexBlobHash: git(path, "rev-parse", "HEAD:README"),
          worktreeSha256: sha("Changed\n")
        })
        assert.deepInclude(file("staged"), {
          status: "AM",
          indexBlobHash: git(path, "rev-parse", ":staged"),
          worktreeSha256: sha("second\n")
        })
        assert.deepInclude(file("untracked"), {
          status: "??",
          indexBlobHash: null,
          worktreeSha256: sha("new\n")
        })
        assert.strictEqual(file("link").worktreeSha256, sha("/etc/passwd"), "a link is not followed")
        assert.isUndefined(file("ignored/.env"))
      }).pipe(Effect.provide(shared))
  )

  it.scopedLive("that can't be captured starts nothing", () =>
    Effect.gen(function* () {
      const { id, path } = yield* furnish("broken")
      rmSync(join(path, ".git"))
      mkdirSync(join(path, ".git"))
      const answer = yield* start(id)
      assert.strictEqual(answer.status, 409, JSON.stringify(answer.body))
      assert.isNull((yield* ask("GET", `/api/agents/${id}/status`)).attemptId)
    }).pipe(Effect.provide(shared))
  )
})

describe("what a run left in its workspace", () => {
  it.scopedLive("is seen against the baseline: commits and files, what was there before apart", () =>
    Effect.gen(function* () {
      const { id, path } = yield* furnish("seen")
      write(path, "mine", "from before\n")
      const running = yield* begin(id)
      commit(path, "feature")
      write(path, "loose", "not committed\n")
      const { files, harnessEvidence } = yield* resultOf(running)
      assert.deepInclude(harnessEvidence.workspace, { commits: 1, head: git(path, "rev-parse", "HEAD") })
      assert.deepStrictEqual(
        files.map(({ path }: { path: string }) => path),
        ["feature", "loose"]
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is partial where commits are forbidden or required and it is otherwise", () =>
    Effect.gen(function* () {
      const forbidden = yield* furnish("forbidden", { commitPolicy: "forbidden" })
      const one = yield* begin(forbidden.id)
      commit(forbidden.path, "feature")
      assert.deepStrictEqual(codes(yield* resultOf(one)), ["commit-policy-violated"])
      const required = yield* furnish("required", { commitPolicy: "required" })
      const other = yield* begin(required.id)
      write(required.path, "loose")
      assert.deepStrictEqual(codes(yield* resultOf(other)), ["commit-policy-violated"])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is held to the list of side effects when there is one", () =>
    Effect.gen(function* () {
      const { id, path } = yield* furnish("effects", {
        allowedSideEffects: [{ kind: "filesystem-write", scope: "docs/**" }]
      })
      const running = yield* begin(id)
      write(path, "docs/deep/page.md")
      write(path, "src/evil.ts")
      const result = yield* resultOf(running)
      assert.deepStrictEqual(codes(result), ["side-effect-unauthorized"])
      assert.deepStrictEqual(result.sideEffects, [
        { kind: "filesystem-write", scope: "src/evil.ts", authorized: false },
        { kind: "filesystem-write", scope: "docs/deep/page.md", authorized: true }
      ])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("must hold the files that were expected, inside the workspace and not through a link", () =>
    Effect.gen(function* () {
      const expectedOutputs = ["report.md", "linked.md"].map((path) => ({
        ...{ id: path, kind: "file", path, required: true }
      }))
      const { id, path } = yield* furnish("outputs", { expectedOutputs })
      const running = yield* begin(id)
      write(path, "report.md")
      symlinkSync("/etc/hostname", join(path, "linked.md"))
      const result = yield* resultOf(running)
      assert.deepStrictEqual(codes(result), ["required-output-missing"])
      assert.deepStrictEqual(
        result.harnessEvidence.expectedOutputs.map(({ found }: { found: boolean }) => found),
        [true, false]
      )
    }).pipe(Effect.provide(shared))
  )
})
