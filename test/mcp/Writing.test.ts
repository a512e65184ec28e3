import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, column, createTask, getTask } from "../support/Board.ts"
import { toolsAs } from "../support/Tools.ts"
import { world } from "../support/World.ts"

const inParallel = { concurrency: "unbounded" } as const

describe("claim_task", () => {
  it.scopedLive("takes the next task, or the one that is named, and says so in one line", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1", title: "Sail", priority: "low" })
      yield* createTask({ id: "T-2", title: "Row" })
      assert.deepStrictEqual(yield* call("claim_task"), {
        text: 'T-2 claimed by codex: "Row", revision 2',
        isError: false
      })
      const named = yield* call("claim_task", { id: "T-1", agent: "ann" })
      assert.strictEqual(named.text, 'T-1 claimed by ann: "Sail", revision 2')
      assert.deepInclude(yield* getTask("T-1"), { status: "in-progress", assignee: "ann" })
      assert.deepStrictEqual(yield* call("claim_task", { type: "bug" }), {
        text: "Nothing to claim. There is nothing in todo.",
        isError: false
      })
      const late = yield* call("claim_task", { id: "T-1" })
      assert.deepStrictEqual(late, {
        text: "Task T-1 is in-progress, in the hands of ann: only a task in todo can be claimed. Claim another one",
        isError: true
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("hands each of many that ask at once a task of its own", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      for (let index = 0; index < 10; index++) yield* createTask({ id: `T-${index}` })
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => call("claim_task")),
        inParallel
      )
      const claimed = answers.flatMap(({ text }) => /^(T-\d) claimed/.exec(text)?.[1] ?? [])
      assert.strictEqual(claimed.length, 10)
      assert.strictEqual(new Set(claimed).size, 10)
      assert.strictEqual(answers.filter(({ text }) => text.startsWith("Nothing to claim.")).length, 10)
    }).pipe(Effect.provide(world()))
  )
})

describe("create_task", () => {
  it.scopedLive("adds a task with all that it was given, without secrets", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      const fields = {
        title: "Sail",
        status: "backlog",
        priority: "high",
        type: "bug",
        project: "sea",
        assignee: "ann",
        labels: ["boat"],
        acceptanceCriteria: [{ text: "Back home", done: false }]
      }
      const { text } = yield* call("create_task", {
        ...fields,
        description: "password=hunter2hunter2 and more"
      })
      const [, id] = /^(task_\w+) created in backlog, revision 1$/.exec(text) ?? assert.fail(text)
      const task = yield* getTask(id ?? "")
      assert.deepInclude(task, { ...fields, createdBy: "codex" })
      assert.notInclude(task.description, "hunter2")
    }).pipe(Effect.provide(world()))
  )
})

describe("update_task", () => {
  it.scopedLive("changes what it names, clears what is null, and tells the fields", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1", project: "sea" })
      const { text } = yield* call("update_task", {
        id: "T-1",
        project: null,
        title: "Row",
        reviewScores: { security: 10 },
        status: "in-progress"
      })
      assert.strictEqual(text, "T-1 updated (title, status, project, reviewScores), revision 2")
      const task = yield* getTask("T-1")
      assert.deepInclude(task, { title: "Row", status: "in-progress", reviewScores: { security: 10 } })
      assert.notProperty(task, "project")
      const idle = yield* call("update_task", { id: "T-1", revision: 2 })
      assert.deepStrictEqual(idle, {
        text: "Nothing changed: name at least one field besides id and revision.",
        isError: false
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("overwrites nobody's change when it is told the revision that it knows", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1", title: "Sail" })
      yield* ask("PATCH", "/api/tasks/T-1", { body: { title: "Row" } })
      const stale = yield* call("update_task", { id: "T-1", revision: 1, title: "Swim" })
      assert.isTrue(stale.isError)
      assert.include(stale.text, "revision 1 was expected, 2 is current. Read it again")
      assert.strictEqual((yield* getTask("T-1")).title, "Row")
      assert.isFalse((yield* call("update_task", { id: "T-1", revision: 2, title: "Swim" })).isError)
    }).pipe(Effect.provide(world()))
  )
})

describe("move_task", () => {
  it.scopedLive("moves to the end of a column or to a place in it, and knows the revision itself", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1" })
      yield* createTask({ id: "T-2", status: "done" })
      const moved = yield* call("move_task", { id: "T-1", status: "done" })
      assert.strictEqual(moved.text, "T-1 moved to done, revision 2")
      assert.deepStrictEqual(yield* column("done"), ["T-2", "T-1"])
      assert.strictEqual(
        (yield* call("move_task", { id: "T-1", status: "done" })).text,
        "T-1 is in done already, revision 2"
      )
      assert.isFalse((yield* call("move_task", { id: "T-1", status: "done", index: 0 })).isError)
      assert.deepStrictEqual(yield* column("done"), ["T-1", "T-2"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("passes the gates, and what they miss is told in the words of the tools", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* ask("PATCH", "/api/settings/features", {
        as: "admin",
        body: { enforcement: { reviewGate: true, closingComments: true } }
      })
      yield* createTask({ id: "T-1" })
      const review = yield* call("move_task", { id: "T-1", status: "done" })
      assert.isTrue(review.isError)
      assert.include(review.text, "- security: no score, needs 10")
      assert.include(review.text, "Set the scores with update_task {reviewScores}")
      const reviewScores = { security: 10, reliability: 10, performance: 10, accessibility: 10 }
      yield* call("update_task", { id: "T-1", reviewScores })
      const closing = yield* call("move_task", { id: "T-1", status: "done" })
      assert.isTrue(closing.isError)
      assert.include(closing.text, "add_comment")
      yield* call("add_comment", { id: "T-1", text: "It has been done as it was agreed" })
      const done = yield* call("move_task", { id: "T-1", status: "done" })
      assert.deepStrictEqual(done, { text: "T-1 moved to done, revision 4", isError: false })
    }).pipe(Effect.provide(world()))
  )
})

describe("add_comment", () => {
  it.scopedLive("comments as the key's name", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1" })
      const { text } = yield* call("add_comment", { id: "T-1", text: "Nearly there" })
      assert.strictEqual(text, "T-1 has a new comment, revision 2")
      const { comments } = yield* getTask("T-1")
      assert.deepInclude(comments[0], { text: "Nearly there", author: "codex" })
    }).pipe(Effect.provide(world()))
  )
})
