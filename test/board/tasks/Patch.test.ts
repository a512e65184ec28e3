import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, column, createTask, etagOf, getTask } from "../../support/Board.ts"
import { seedTask } from "../../support/Seed.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

const patch = (id: string, body: unknown) => ask("PATCH", `/api/tasks/${id}`, { body })

const filled = {
  description: "What it is",
  project: "Muster",
  assignee: "ann",
  completionSummary: "Done",
  lessonsLearned: "None",
  runMode: "review-heavy",
  executionPolicy: { commitPolicy: "allowed" },
  reviewScores: { security: 9 },
  git: { branch: "main" }
}

describe("a patch", () => {
  it.scopedLive("changes what it names, keeps the rest, and says who changed it", () =>
    Effect.gen(function* () {
      const before = yield* createTask({ ...filled, labels: ["a"] })
      const after = yield* ask("PATCH", `/api/tasks/${before.id}`, { as: "admin", body: { assignee: "bob" } })
      assert.deepStrictEqual(after, {
        ...before,
        assignee: "bob",
        revision: 2,
        updatedAt: after.updatedAt,
        updatedBy: "admin"
      })
      assert.deepStrictEqual(yield* getTask(before.id), after)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("clears a text or an object with null, and nothing else", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask({ ...filled, labels: ["a"] })
      const nulls = Object.fromEntries(Object.keys(filled).map((field) => [field, null]))
      const after = yield* patch(id, nulls)
      for (const field of Object.keys(filled)) assert.notProperty(after, field)
      assert.deepStrictEqual(after.labels, ["a"])
      const never = ["title", "status", "priority", "type", "agents", "labels", "acceptanceCriteria"]
      for (const field of never) {
        const refused = yield* request("PATCH", `/api/tasks/${id}`, { body: { [field]: null } })
        assert.strictEqual(refused.status, 400, field)
        assert.strictEqual(refused.body.details.issues[0].path, field)
      }
      assert.strictEqual((yield* getTask(id)).revision, 2)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("merges review scores and git field by field", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask({
        reviewScores: { security: 9 },
        git: { branch: "a", repo: "muster" }
      })
      const pr = { repository: "acme/board", number: 7 }
      const after = yield* patch(id, { reviewScores: { reliability: 10 }, git: { branch: "b", pr } })
      assert.deepStrictEqual(after.reviewScores, { security: 9, reliability: 10 })
      assert.deepStrictEqual(after.git, { repo: "muster", branch: "b", pr })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("replaces an execution policy and lists as a whole", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask({
        executionPolicy: { commitPolicy: "allowed", fileExecution: { agentCreated: "deny" } },
        labels: ["a", "b"],
        agents: ["codex"],
        acceptanceCriteria: [{ text: "It works", done: false }]
      })
      const after = yield* patch(id, {
        executionPolicy: { commitPolicy: "forbidden" },
        labels: ["c"],
        agents: [],
        acceptanceCriteria: []
      })
      assert.deepInclude(after, {
        executionPolicy: { commitPolicy: "forbidden" },
        labels: ["c"],
        agents: [],
        acceptanceCriteria: []
      })
      assert.deepStrictEqual((yield* ask("GET", "/api/tasks?agent=codex")).tasks, [])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("may echo the whole task: what the service owns is ignored", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask({ ...filled, labels: ["a"] })
      yield* ask("POST", `/api/tasks/${id}/comments`, { body: { text: "A comment" } })
      const before = yield* getTask(id)
      const forged = {
        ...before,
        title: "Changed",
        id: "another",
        revision: 99,
        position: 99,
        archived: true,
        createdAt: "1999-01-01T00:00:00.000Z",
        createdBy: "nobody",
        updatedBy: "nobody",
        comments: [],
        statusHistory: [{ from: "a", to: "b" }]
      }
      const after = yield* ask("PATCH", `/api/tasks/${id}`, {
        body: forged,
        headers: { "if-match": etagOf(before) }
      })
      assert.deepStrictEqual(after, {
        ...before,
        title: "Changed",
        revision: 3,
        updatedAt: after.updatedAt
      })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("that names nothing changes nothing; one that names a field raises the revision", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const before = yield* createTask()
      for (const body of [{}, { nobodyKnowsThis: true }, undefined]) {
        const answer = yield* request("PATCH", `/api/tasks/${before.id}`, { body })
        assert.strictEqual(answer.status, 200)
        assert.deepStrictEqual(answer.body, before)
        assert.strictEqual(answer.headers.get("etag"), etagOf(before))
      }
      const same = yield* patch(before.id, { title: before.title })
      assert.deepStrictEqual(same, { ...before, revision: 2, updatedAt: same.updatedAt })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("of the status puts the card at the end of its new column and remembers the change", () =>
    Effect.gen(function* () {
      const [first, second, third] = yield* Effect.all([
        createTask(),
        createTask(),
        createTask({ status: "done" })
      ])
      const after = yield* patch(first.id, { status: "done" })
      assert.deepInclude(after, { status: "done", position: 1 })
      assert.deepStrictEqual(
        after.statusHistory.map(({ by, from, to }: Record<string, string>) => [from, to, by]),
        [["todo", "done", "codex"]]
      )
      assert.deepStrictEqual(yield* column("done"), [third.id, first.id])
      assert.deepStrictEqual(yield* column("todo"), [second.id])
      assert.strictEqual((yield* getTask(second.id)).revision, 1, "a neighbour that moved up did not change")
      const again = yield* patch(first.id, { status: "done" })
      assert.strictEqual(again.statusHistory.length, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("goes from every status to every other", () =>
    Effect.gen(function* () {
      const statuses = ["backlog", "todo", "in-progress", "blocked", "done", "cancelled"]
      for (const from of statuses) {
        for (const to of statuses.filter((status) => status !== from)) {
          const { id } = yield* createTask({ status: from })
          assert.strictEqual((yield* patch(id, { status: to })).status, to)
        }
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("names every fault of its body, without repeating what was sent", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const { body, status } = yield* request("PATCH", `/api/tasks/${id}`, {
        body: {
          title: "   ",
          status: "nowhere-near",
          priority: "someday",
          reviewScores: { security: 11, performance: 1.5 },
          executionPolicy: { commitPolicy: "maybe", unheardOf: 1 },
          externalWorkItems: [{ provider: "GitHub", repository: "no-owner", number: 0 }],
          labels: Array.from({ length: 51 }, () => "x")
        }
      })
      assert.strictEqual(status, 400)
      assert.deepInclude(body, { error: "Validation failed", code: "VALIDATION_ERROR" })
      assert.sameMembers(
        body.details.issues.map(({ path }: { path: string }) => path),
        [
          "title",
          "status",
          "priority",
          "reviewScores.security",
          "reviewScores.performance",
          "executionPolicy.commitPolicy",
          "executionPolicy.unheardOf",
          "externalWorkItems.0.provider",
          "externalWorkItems.0.repository",
          "externalWorkItems.0.number",
          "labels"
        ]
      )
      for (const sent of ["nowhere-near", "someday", "no-owner", "maybe"]) {
        assert.notInclude(JSON.stringify(body), sent)
      }
      assert.strictEqual((yield* getTask(id)).revision, 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused by a task that is not there, and to those who may only read", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const unknown = yield* request("PATCH", "/api/tasks/nobody", { body: { title: "Mine" } })
      assert.strictEqual(unknown.status, 404)
      assert.deepStrictEqual(unknown.body.details, { taskId: "nobody" })
      const forbidden = yield* request("PATCH", `/api/tasks/${id}`, {
        as: "read-only",
        body: { title: "Mine" }
      })
      assert.strictEqual(forbidden.status, 403)
      assert.deepStrictEqual(forbidden.body.details, { requiredPermission: "task:write", role: "read-only" })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("stores no secret, neither in the title nor in a text", () =>
    Effect.gen(function* () {
      const secret = `ghp_${"a1B2".repeat(9)}`
      const { id } = yield* createTask({ title: `Use ${secret}`, description: `It is ${secret}.` })
      const after = yield* patch(id, { lessonsLearned: `Never paste ${secret}` })
      assert.notInclude(JSON.stringify(after), secret)
      assert.match(after.lessonsLearned, /^Never paste \S+$/)
    }).pipe(Effect.provide(shared))
  )
})

describe("what the service alone writes", () => {
  it.scopedLive("can't be set: evidence of runs is refused, a worktree path ignored", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      for (const field of ["taskEnvelope", "completionResult"]) {
        const refused = yield* request("PATCH", `/api/tasks/${id}`, { body: { attempt: { [field]: {} } } })
        assert.strictEqual(refused.status, 400)
        assert.strictEqual(refused.body.code, "VALIDATION_ERROR")
        assert.strictEqual(refused.body.details.issues[0].path, `attempt.${field}`)
      }
      const after = yield* patch(id, { attempt: { id: "mine" }, git: { branch: "a", worktreePath: "/etc" } })
      assert.notProperty(after, "attempt")
      assert.deepStrictEqual(after.git, { branch: "a" })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("stays when a client echoes or clears what is around it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const attempt = { id: "attempt_1", taskEnvelope: { goal: "x" } }
      yield* seedTask("seeded", {}, { attempt, git: { branch: "a", worktreePath: "/work/tree" } })
      const echoed = yield* patch("seeded", { attempt, git: null })
      assert.deepStrictEqual(echoed.attempt, attempt)
      assert.deepStrictEqual(echoed.git, { worktreePath: "/work/tree" })
      const replaced = yield* request("PATCH", "/api/tasks/seeded", {
        body: { attempt: { id: "attempt_2" } }
      })
      assert.strictEqual(replaced.status, 409)
      assert.deepInclude(replaced.body, { code: "CONFLICT" })
      assert.deepStrictEqual((yield* getTask("seeded")).attempt, attempt)
    }).pipe(Effect.provide(shared))
  )
})
