import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cli, cliAs } from "../support/Cli.ts"
import { World, world } from "../support/World.ts"

const made = (fields: Readonly<Record<string, unknown>> = {}) =>
  Effect.gen(function* () {
    const { request } = yield* World
    const { body } = yield* request("POST", "/api/tasks", { body: { id: "T-1", title: "Sail", ...fields } })
    return String(body.id)
  })

const task = Effect.gen(function* () {
  const { client } = yield* World
  const { tasks } = yield* client()
  return yield* tasks.get({ path: { id: "T-1" } })
})

describe("begin", () => {
  it.scopedLive("puts a task in progress and starts its timer", () =>
    Effect.gen(function* () {
      yield* made()
      const ran = yield* cli("begin", "T-1")
      assert.deepStrictEqual([ran.exitCode, ran.stdout, ran.stderr], [0, "Began T-1 Sail", ""])
      const after = yield* task
      assert.strictEqual(after.status, "in-progress")
      assert.strictEqual(after.assignee, "codex")
      assert.isTrue(after.timeTracking.isRunning)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is a conflict that names who has it, unless it is taken over", () =>
    Effect.gen(function* () {
      yield* made()
      yield* cli("begin", "T-1")
      const before = yield* task
      const refused = yield* cliAs("admin", "begin", "T-1")
      assert.deepStrictEqual([refused.exitCode, refused.stdout], [5, ""])
      assert.include(refused.stderr, "Task T-1 is codex's, and in-progress")
      assert.include(refused.stderr, "muster begin T-1 --take-over")
      const json = yield* cliAs("admin", "begin", "T-1", "--json")
      assert.deepInclude(json.json(), {
        code: "CONFLICT",
        details: { taskId: "T-1", status: "in-progress", assignee: "codex" }
      })
      assert.deepStrictEqual(yield* task, before)
      const taken = yield* cliAs("admin", "begin", "T-1", "--take-over")
      assert.deepStrictEqual([taken.exitCode, taken.stdout], [0, "Took over T-1 Sail from codex"])
      assert.deepInclude({ ...(yield* task) }, { assignee: "admin", revision: before.revision + 1 })
      assert.strictEqual((yield* cli("begin", "T-1")).exitCode, 5)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is won by one of those who begin at the same time", () =>
    Effect.gen(function* () {
      yield* made()
      const names = ["codex", "admin"] as const
      const all = yield* Effect.all(
        [
          cli("begin", "T-1"),
          cliAs("admin", "begin", "T-1"),
          cli("begin", "T-1"),
          cliAs("admin", "begin", "T-1")
        ],
        { concurrency: "unbounded" }
      )
      const winner = (yield* task).assignee
      assert.deepStrictEqual(
        all.map(({ exitCode }) => exitCode),
        all.map((_, index) => (names[index % 2] === winner ? 0 : 5))
      )
      assert.strictEqual((yield* task).timeTracking.entries.length, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("makes a task the caller's that somebody left in progress", () =>
    Effect.gen(function* () {
      yield* made({ status: "in-progress", agents: ["codex", "claude"] })
      assert.strictEqual((yield* cli("begin", "T-1")).stdout, "Began T-1 Sail")
      assert.strictEqual((yield* task).assignee, "codex")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("can be repeated without a change", () =>
    Effect.gen(function* () {
      yield* made()
      yield* cli("begin", "T-1")
      const before = yield* task
      const again = yield* cli("begin", "T-1", "--json")
      assert.strictEqual(again.exitCode, 0)
      assert.deepStrictEqual(again.json(), before)
      assert.deepStrictEqual(yield* task, before)
      assert.strictEqual((yield* cli("begin", "T-1")).stdout, "Already begun: T-1 Sail")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("starts the timer of a task that was in progress without one", () =>
    Effect.gen(function* () {
      yield* made({ status: "in-progress" })
      assert.strictEqual((yield* cli("begin", "T-1")).exitCode, 0)
      assert.isTrue((yield* task).timeTracking.isRunning)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("starts one timer, however many begin at the same time", () =>
    Effect.gen(function* () {
      yield* made()
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => cli("begin", "T-1")),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(all.map(({ exitCode }) => exitCode)), new Set([0]))
      assert.strictEqual((yield* task).timeTracking.entries.length, 1)
    }).pipe(Effect.provide(world()))
  )
})

describe("block and unblock", () => {
  it.scopedLive("stop and restart the timer, and keep the reason as a comment", () =>
    Effect.gen(function* () {
      yield* made()
      yield* cli("begin", "T-1")
      const blocked = yield* cli("block", "T-1", "--reason", "Waiting for wind")
      assert.deepStrictEqual([blocked.exitCode, blocked.stdout], [0, "Blocked T-1 Sail"])
      const stopped = yield* task
      assert.strictEqual(stopped.status, "blocked")
      assert.isFalse(stopped.timeTracking.isRunning)
      assert.deepStrictEqual(
        stopped.comments.map(({ author, text }) => [author, text]),
        [["codex", "Waiting for wind"]]
      )
      const unblocked = yield* cli("unblock", "T-1")
      assert.deepStrictEqual([unblocked.exitCode, unblocked.stdout], [0, "Unblocked T-1 Sail"])
      const running = yield* task
      assert.strictEqual(running.status, "in-progress")
      assert.isTrue(running.timeTracking.isRunning)
      assert.strictEqual(running.timeTracking.entries.length, 2)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("block a task that nobody had begun", () =>
    Effect.gen(function* () {
      yield* made()
      assert.strictEqual((yield* cli("block", "T-1")).exitCode, 0)
      assert.deepInclude({ ...(yield* task) }, { status: "blocked", comments: [] })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("unblock nothing that is not blocked", () =>
    Effect.gen(function* () {
      yield* made({ status: "done" })
      const told = yield* cli("unblock", "T-1")
      assert.strictEqual(told.exitCode, 5)
      assert.strictEqual(told.stdout, "")
      assert.include(told.stderr, "Task T-1 is done, not blocked")
      assert.include(told.stderr, "muster begin T-1")
      const json = yield* cli("unblock", "T-1", "--json")
      assert.strictEqual(json.exitCode, 5)
      assert.deepStrictEqual(json.json(), {
        error: "Task T-1 is done, not blocked",
        code: "CONFLICT",
        details: { taskId: "T-1", status: "done" }
      })
      assert.strictEqual((yield* task).status, "done")
    }).pipe(Effect.provide(world()))
  )
})

describe("done", () => {
  it.scopedLive("completes a task with what was done and learned, and stops its timer", () =>
    Effect.gen(function* () {
      yield* made()
      yield* cli("begin", "T-1")
      const ran = yield* cli(
        "done",
        "T-1",
        "--summary",
        "Crossed the bay",
        "--lessons",
        "Reef early",
        "--json"
      )
      assert.strictEqual(ran.exitCode, 0)
      const after = yield* task
      assert.deepStrictEqual(ran.json(), after)
      assert.deepInclude(
        { ...after },
        {
          status: "done",
          completionSummary: "Crossed the bay",
          lessonsLearned: "Reef early"
        }
      )
      assert.isFalse(after.timeTracking.isRunning)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("changes nothing the second time, whatever is said of it, and says so", () =>
    Effect.gen(function* () {
      yield* made()
      yield* cli("done", "T-1")
      const before = yield* task
      assert.strictEqual((yield* cli("done", "T-1")).stdout, "Already done: T-1 Sail")
      assert.deepStrictEqual(yield* task, before)
      const again = yield* cli("done", "T-1", "--summary", "Later thoughts")
      assert.deepStrictEqual(
        [again.exitCode, again.stdout],
        [0, "Already done: T-1 Sail; its summary and its lessons stay as they are"]
      )
      assert.deepStrictEqual(yield* task, before)
    }).pipe(Effect.provide(world()))
  )
})

/** Switches gates of the board. */
const enforce = (enforcement: Readonly<Record<string, unknown>>) =>
  Effect.gen(function* () {
    const { request } = yield* World
    const { status } = yield* request("PATCH", "/api/settings/features", {
      as: "admin",
      body: { enforcement }
    })
    assert.strictEqual(status, 200)
  })

describe("the gates of the board", () => {
  it.scopedLive("keep a task from being done until what they ask for is there", () =>
    Effect.gen(function* () {
      yield* made()
      yield* cli("begin", "T-1")
      yield* enforce({ closingComments: true })
      const refused = yield* cli("done", "T-1", "--json")
      assert.strictEqual(refused.exitCode, 5)
      assert.deepInclude(refused.json().error, {
        code: "CLOSING_COMMENT_REQUIRED",
        details: { commentCount: 0, longestComment: 0, requiredLength: 20 }
      })
      const told = yield* cli("done", "T-1")
      assert.include(told.stderr, "comments: 0; the longest has 0 characters, needs 20")
      const before = yield* task
      assert.strictEqual(before.status, "in-progress")
      assert.isTrue(before.timeTracking.isRunning)
      yield* cli("comment", "T-1", "Crossed the bay against the wind")
      assert.strictEqual((yield* cli("done", "T-1")).exitCode, 0)
      assert.strictEqual((yield* task).status, "done")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("may move the timer themselves", () =>
    Effect.gen(function* () {
      yield* made()
      yield* enforce({ autoTimeTracking: true })
      for (const [command, running] of [
        ["begin", true],
        ["block", false],
        ["unblock", true],
        ["done", false]
      ] as const) {
        assert.strictEqual((yield* cli(command, "T-1")).exitCode, 0, command)
        assert.strictEqual((yield* task).timeTracking.isRunning, running, command)
      }
      assert.strictEqual((yield* task).timeTracking.entries.length, 2)
    }).pipe(Effect.provide(world()))
  )
})

describe("a command that is refused", () => {
  it.scopedLive("tells what happened and exits with a code for it", () =>
    Effect.gen(function* () {
      yield* made()
      const missing = yield* cli("begin", "T-9")
      assert.deepStrictEqual(
        [missing.exitCode, missing.stdout, missing.stderr],
        [4, "", "muster: Task T-9 does not exist"]
      )
      const reader = yield* cliAs("read-only", "begin", "T-1", "--json")
      assert.strictEqual(reader.exitCode, 3)
      assert.deepStrictEqual(reader.json(), {
        error: "The role read-only does not have the permission task:write",
        code: "PERMISSION_DENIED",
        details: { requiredPermission: "task:write", role: "read-only" }
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("names those that share the identity of a task, with the server's own envelope", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* request("POST", "/api/tasks/import", {
        as: "admin",
        raw: `{"id":"T-1","title":"One"}\n{"id":"T-1","title":"Another"}`,
        headers: { "content-type": "application/x-ndjson" }
      })
      const told = yield* cli("begin", "T-1")
      assert.strictEqual(told.exitCode, 5)
      assert.match(
        told.stderr,
        /Duplicate task identity detected\n {2}- T-1 is claimed by tasks\/active\/\d+\/T-1, tasks/
      )
      const json = (yield* cli("begin", "T-1", "--json")).json()
      const server = yield* request("PATCH", "/api/tasks/T-1", { body: { status: "in-progress" } })
      assert.deepStrictEqual(json, server.body)
    }).pipe(Effect.provide(world()))
  )
})
