import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, createTask } from "../support/Board.ts"
import { toolsAs } from "../support/Tools.ts"
import { World, world } from "../support/World.ts"

const imported = (lines: ReadonlyArray<object>) =>
  ask("POST", "/api/tasks/import", {
    as: "admin",
    raw: lines.map((line) => JSON.stringify(line)).join("\n"),
    headers: { "content-type": "application/x-ndjson" }
  })

describe("next_task", () => {
  it.scopedLive("tells the task, why, what else is ready, and how to go on", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      assert.deepStrictEqual(yield* call("next_task"), {
        text: "No task to take up. There is nothing in todo.",
        isError: false
      })
      yield* createTask({ id: "T-1", title: "Sail", project: "sea" })
      yield* createTask({ id: "T-2", title: "Row", assignee: "codex", priority: "high" })
      assert.strictEqual(
        (yield* call("next_task")).text,
        [
          "T-2 [todo, high] Row @codex",
          "Why: It was given to codex; Its priority is high; Nothing that it depends on is unfinished; It comes first of 2 that can be taken up.",
          "",
          "Also ready:",
          "- T-1 [medium] Sail",
          "",
          'claim_task {"id": "T-2"} takes it; task_context tells what is known about it.'
        ].join("\n")
      )
      assert.match((yield* call("next_task", { project: "sea" })).text, /^T-1 /)
      assert.match((yield* call("next_task", { agent: "ann" })).text, /^T-1 /)
    }).pipe(Effect.provide(world()))
  )
})

describe("task_context", () => {
  it.scopedLive("tells all that is known about a task, newest first", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      const { request } = yield* World
      const { id } = yield* createTask({
        id: "T-1",
        title: "Sail",
        description: "Around\nthe cape",
        acceptanceCriteria: [{ text: "Back home", done: false }],
        labels: ["sea"]
      })
      yield* createTask({ id: "T-0", title: "Build a boat", status: "done" })
      yield* createTask({ id: "T-2", title: "Tell of it" })
      const at = `/api/tasks/${id}`
      yield* request("POST", `${at}/dependencies`, { body: { dependsOn: "T-0" } })
      yield* request("POST", `${at}/dependencies`, { body: { dependsOn: "T-2", direction: "blocks" } })
      yield* request("POST", `${at}/comments`, { body: { text: "first" } })
      yield* request("POST", `${at}/comments`, { body: { text: "second" } })
      yield* request("POST", `${at}/observations`, { body: { content: "It leaks", importance: 9 } })
      yield* request("POST", `${at}/progress/append`, { body: { text: "Half way" } })
      yield* request("POST", `${at}/checkpoint`, { body: { state: { day: 3 } } })
      const { text } = yield* call("task_context", { id })
      for (const part of [
        /^T-1 Sail\nstatus: todo, position 0, revision 5\n/,
        /\nDescription:\n> Around\n> the cape\n/,
        /\n- \[ \] Back home\n/,
        /\nDepends on:\n- T-0 \[done\] Build a boat\n/,
        /\nBlocks:\n- T-2 \[todo\] Tell of it\n/,
        /\nA checkpoint was saved .* reads it\.\n/,
        /\nProgress:\n> Half way\n/,
        /\n- context, importance 9, by codex: It leaks\n/,
        /\nComments, newest first \(2\):\n- \S+ codex: second\n- \S+ codex: first$/
      ]) {
        assert.match(text, part)
      }
      const context = yield* request("GET", `${at}/context`)
      assert.strictEqual(context.body.checkpoint.resumeCount, 0, "reading the context resumes nothing")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("stays within its length, and says how to see more", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      const { id } = yield* createTask({ title: "Long", description: "d".repeat(90_000) })
      for (let index = 0; index < 20; index++) {
        yield* ask("POST", `/api/tasks/${id}/observations`, { body: { content: "o".repeat(9_000) } })
      }
      for (const name of ["task_context", "get_task"]) {
        const { text } = yield* call(name, { id })
        assert.isBelow(text.length, 12_200, name)
        assert.include(text, "[cut at 6000 of 90000 characters]")
      }
      const { text } = yield* call("task_context", { id })
      assert.match(text, /\[cut at 12000 of \d+ characters; call again with a larger maxChars\]$/)
      const whole = yield* call("task_context", { id, maxChars: 200_000 })
      assert.isAbove(whole.text.length, 190_000)
      const short = yield* call("get_task", { id, maxChars: 1_000 })
      assert.isBelow(short.text.length, 1_200)
    }).pipe(Effect.provide(world()))
  )
})

describe("get_task", () => {
  it.scopedLive("tells one task, archived ones too", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1", title: "Sail", status: "done", agents: ["codex"], project: "sea" })
      yield* ask("PATCH", "/api/tasks/T-1", {
        body: { reviewScores: { security: 10 }, completionSummary: "Home", lessonsLearned: "Wind" }
      })
      yield* ask("POST", "/api/tasks/T-1/archive")
      assert.strictEqual(
        (yield* call("get_task", { id: "T-1" })).text,
        [
          "T-1 Sail",
          "status: done (archived), position 0, revision 3",
          "priority: medium, type: code",
          "project: sea",
          "agents: codex",
          "review scores: security 10",
          "",
          "Summary:",
          "> Home",
          "",
          "Lessons:",
          "> Wind"
        ].join("\n")
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("shows texts without the characters that could take over a terminal", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1", title: "A\u001b[2J\nB", description: "C\u0007\u001b]0;x\u0007D" })
      const { text } = yield* call("get_task", { id: "T-1" })
      assert.match(text, /^T-1 A B\n/)
      for (const character of ["\u0007", "\u001b"]) assert.notInclude(text, character)
    }).pipe(Effect.provide(world()))
  )
})

describe("list_tasks", () => {
  it.scopedLive("heeds every filter", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1", title: "Sail", project: "sea", type: "bug", assignee: "ann" })
      yield* createTask({ id: "T-2", title: "Row", status: "blocked", priority: "high", agents: ["codex"] })
      yield* createTask({ id: "T-3", title: "Swim", status: "done" })
      yield* ask("POST", "/api/tasks/T-3/archive")
      const listed = (input: Record<string, unknown>) =>
        Effect.map(call("list_tasks", input), ({ text }) => text)
      assert.strictEqual(yield* listed({}), "T-1 [todo, medium] Sail @ann (sea)\nT-2 [blocked, high] Row")
      for (const [input, id] of [
        [{ status: ["blocked", "done"] }, "T-2"],
        [{ priority: "high" }, "T-2"],
        [{ agent: "codex" }, "T-2"],
        [{ project: "sea" }, "T-1"],
        [{ type: "bug" }, "T-1"],
        [{ assignee: "ann" }, "T-1"],
        [{ archived: true }, "T-3"],
        [{ archived: false, offset: 1 }, "T-2"]
      ] as const) {
        assert.match(yield* listed(input), new RegExp(`^${id} [^\n]*$`), JSON.stringify(input))
      }
      assert.strictEqual(yield* listed({ status: [] }), yield* listed({}))
      assert.strictEqual(yield* listed({ project: "none" }), "No tasks.")
      assert.strictEqual(yield* listed({ offset: 5 }), "No tasks from offset 5 on; there are 2.")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("floods nobody with ten thousand tasks, and says how to get more", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      for (let batch = 0; batch < 10; batch++) {
        yield* imported(
          Array.from({ length: 1_000 }, (_, index) => ({
            id: `T-${batch * 1_000 + index}`,
            title: `Title ${"t".repeat(400)}`
          }))
        )
      }
      const first = (yield* call("list_tasks")).text
      assert.match(first, /\[20 of 10000; call again with offset 20 for more, or narrow the filters\]$/)
      assert.isBelow(first.length, 5_000)
      const largest = (yield* call("list_tasks", { limit: 100, offset: 9_950 })).text
      assert.strictEqual(largest.split("\n").length, 50, "the last part announces no other")
      const next = (yield* call("next_task")).text
      assert.isBelow(next.length, 2_000)
      const tooMany = yield* call("list_tasks", { limit: 101 })
      assert.isTrue(tooMany.isError)
      assert.include(tooMany.text, "limit: Expected an integer from 1 to 100")
    }).pipe(Effect.provide(world()))
  )
})
