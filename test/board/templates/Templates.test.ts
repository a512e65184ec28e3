import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TaskNotFound } from "../../../src/board/tasks/Errors.ts"
import { TemplateNotFound } from "../../../src/board/templates/Errors.ts"
import { templateLimit } from "../../../src/board/templates/Template.ts"
import { RevisionConflict } from "../../../src/kernel/Revision.ts"
import { run } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const shared = sharedWorld()

const newTemplate = (name: string, fields: object = {}) =>
  Effect.gen(function* () {
    const { request } = yield* World
    return (yield* request("POST", "/api/templates", { body: { name, fields } })).body
  })

const newTask = (body: object = {}) =>
  Effect.gen(function* () {
    const { request } = yield* World
    return (yield* request("POST", "/api/tasks", { body: { title: "Ship it", ...body } })).body
  })

describe("a template", () => {
  it.scopedLive("is created, read and listed by name", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const created = yield* request("POST", "/api/templates", {
        body: {
          name: "  Bug  ",
          description: "For bugs",
          fields: { type: "bug", priority: "high", labels: ["bug"], title: "ignored" }
        }
      })
      assert.strictEqual(created.status, 201)
      assert.strictEqual(created.headers.get("etag"), `"template:${created.body.id}:1"`)
      assert.match(created.body.id, /^template_/)
      assert.deepInclude(created.body, {
        name: "Bug",
        description: "For bugs",
        fields: { type: "bug", priority: "high", labels: ["bug"] },
        revision: 1,
        createdBy: "codex",
        updatedBy: "codex"
      })
      const read = yield* request("GET", `/api/v1/templates/${created.body.id}`)
      assert.deepStrictEqual(read.body, created.body)
      assert.strictEqual(read.headers.get("x-resource-revision"), "1")
      const chore = yield* newTemplate("A chore")
      assert.deepStrictEqual(chore.fields, {})
      assert.deepStrictEqual((yield* request("GET", "/api/templates")).body, [chore, created.body])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is changed field by field, and null clears", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* newTemplate("Bug", { type: "bug", priority: "high", project: "core" })
      const patched = yield* request("PATCH", `/api/templates/${id}`, {
        as: "admin",
        body: { name: "Defect", description: "New", fields: { priority: "low", project: null } }
      })
      assert.strictEqual(patched.status, 200)
      assert.strictEqual(patched.headers.get("etag"), `"template:${id}:2"`)
      assert.deepInclude(patched.body, {
        name: "Defect",
        description: "New",
        fields: { type: "bug", priority: "low" },
        revision: 2,
        createdBy: "codex",
        updatedBy: "admin"
      })
      const cleared = yield* request("PATCH", `/api/templates/${id}`, { body: { description: null } })
      assert.notProperty(cleared.body, "description")
      const same = yield* request("PATCH", `/api/templates/${id}`, { body: {} })
      assert.deepStrictEqual(same.body, cleared.body)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("has a name of its own", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const story = yield* newTemplate("Story")
      const epic = yield* newTemplate("Epic")
      const taken = {
        error: `Template ${story.id} has this name already: choose another one`,
        code: "CONFLICT",
        details: { name: "Story", templateId: story.id }
      }
      const again = yield* request("POST", "/api/templates", { body: { name: " Story" } })
      assert.strictEqual(again.status, 409)
      assert.deepStrictEqual(again.body, taken)
      const renamed = yield* request("PATCH", `/api/templates/${epic.id}`, { body: { name: "Story" } })
      assert.strictEqual(renamed.status, 409)
      assert.deepStrictEqual(renamed.body, taken)
      const kept = yield* request("PATCH", `/api/templates/${story.id}`, { body: { name: "Story" } })
      assert.strictEqual(kept.status, 200)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is created once when many create it at the same time", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => request("POST", "/api/templates", { body: { name: "Wanted" } })),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 1)
      assert.strictEqual(answers.filter(({ status }) => status === 409).length, 7)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is not changed or deleted by a write that was based on an older revision", () =>
    Effect.gen(function* () {
      const { client, request } = yield* World
      const { templates } = yield* client()
      const { id } = yield* newTemplate("Glitch")
      yield* templates.patch({ path: { id }, headers: {}, payload: { name: "Fault" } })
      const headers = { "if-match": `"template:${id}:1"` }
      const error = yield* Effect.flip(templates.patch({ path: { id }, headers, payload: { name: "Flaw" } }))
      assert.instanceOf(error, RevisionConflict)
      assert.deepInclude(error, { resourceType: "template", expectedRevision: 1, currentRevision: 2 })
      const removal = yield* request("DELETE", `/api/templates/${id}`, { headers })
      assert.strictEqual(removal.status, 409)
      assert.strictEqual(removal.body.details.current.name, "Fault")
      const answers = yield* Effect.all(
        Array.from({ length: 6 }, (_, index) =>
          request("PATCH", `/api/templates/${id}`, {
            body: { description: `Take ${index}` },
            headers: { "x-resource-revision": "2" }
          })
        ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is deleted, and unknown after that", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* newTemplate("Outdated")
      const removed = yield* request("DELETE", `/api/templates/${id}`)
      assert.strictEqual(removed.status, 204)
      for (const [method, body] of [
        ["GET", undefined],
        ["PATCH", { name: "x" }],
        ["DELETE", undefined]
      ] as const) {
        const answer = yield* request(method, `/api/templates/${id}`, { body })
        assert.strictEqual(answer.status, 404)
        assert.deepStrictEqual(answer.body, {
          error: `Template ${id} does not exist`,
          code: "NOT_FOUND",
          details: { templateId: id }
        })
      }
      yield* newTemplate("Outdated")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("holds its fields to the limits that they have on a task", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const [body, path] of [
        [{}, "name"],
        [{ name: " " }, "name"],
        [{ name: "x".repeat(201) }, "name"],
        [{ name: "x", description: "x".repeat(10_001) }, "description"],
        [{ name: "x", fields: [] }, "fields"],
        [{ name: "x", fields: { priority: "urgent" } }, "fields.priority"],
        [{ name: "x", fields: { labels: Array.from({ length: 51 }, () => "l") } }, "fields.labels"],
        [{ name: "x", fields: { executionPolicy: { other: 1 } } }, "fields.executionPolicy.other"]
      ] as const) {
        const answer = yield* request("POST", "/api/templates", { body })
        assert.strictEqual(answer.status, 400)
        assert.strictEqual(answer.body.error, "Validation failed")
        assert.strictEqual(answer.body.details.issues[0].path, path)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("keeps no secrets", () =>
    Effect.gen(function* () {
      const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
      const { request } = yield* World
      const created = yield* request("POST", "/api/templates", {
        body: {
          name: `Use ${token}`,
          description: token,
          fields: {
            description: `Push with ${token}`,
            acceptanceCriteria: [{ text: `${token} works`, done: false }]
          }
        }
      })
      assert.deepInclude(created.body, {
        name: "Use [REDACTED]",
        description: "[REDACTED]",
        fields: {
          description: "Push with [REDACTED]",
          acceptanceCriteria: [{ text: "[REDACTED] works", done: false }]
        }
      })
      const patched = yield* request("PATCH", `/api/templates/${created.body.id}`, {
        body: { fields: { acceptanceCriteria: [{ text: token, done: true }] } }
      })
      assert.deepStrictEqual(patched.body.fields.acceptanceCriteria, [{ text: "[REDACTED]", done: true }])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("finds no room when there are too many", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      yield* newTemplate("First")
      yield* storage.write(
        run(
          (sql) => sql`
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${templateLimit - 1})
            INSERT INTO templates (id, name, revision, json)
            SELECT 'template_' || n.i, 'Copy ' || n.i, 1, t.json FROM n, templates t`
        )
      )
      assert.strictEqual((yield* request("GET", "/api/templates")).body.length, templateLimit)
      const refused = yield* request("POST", "/api/templates", { body: { name: "Too many" } })
      assert.strictEqual(refused.status, 409)
      assert.deepInclude(refused.body, { code: "CONFLICT", details: { limit: templateLimit } })
      yield* request("DELETE", "/api/templates/template_1")
      assert.strictEqual((yield* request("POST", "/api/templates", { body: { name: "Fits" } })).status, 201)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is there after a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const before = yield* newTemplate("Bug", { labels: ["bug"] }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        const { request } = yield* World
        assert.deepStrictEqual((yield* request("GET", `/api/templates/${before.id}`)).body, before)
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})

describe("applying a template", () => {
  it.scopedLive("fills the empty fields of a task and leaves the others", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const fields = {
        description: "Steps to reproduce",
        priority: "critical",
        type: "bug",
        project: "core",
        assignee: "codex",
        agents: ["codex"],
        labels: ["bug"],
        acceptanceCriteria: [{ text: "A test fails without the fix", done: false }],
        executionPolicy: { commitPolicy: "required" }
      }
      const template = yield* newTemplate("Regression", fields)
      const task = yield* newTask({ project: "web", labels: ["urgent"] })
      const applied = yield* request("POST", `/api/tasks/${task.id}/apply-template`, {
        body: { templateId: template.id }
      })
      assert.strictEqual(applied.status, 200)
      assert.strictEqual(applied.headers.get("etag"), `"task:${task.id}:2"`)
      assert.deepInclude(applied.body, {
        title: "Ship it",
        status: "todo",
        description: "Steps to reproduce",
        priority: "medium",
        type: "code",
        project: "web",
        assignee: "codex",
        agents: ["codex"],
        labels: ["urgent"],
        acceptanceCriteria: fields.acceptanceCriteria,
        executionPolicy: { commitPolicy: "required" },
        revision: 2
      })
      assert.deepStrictEqual((yield* request("GET", `/api/tasks/${task.id}`)).body, applied.body)
      const byAgent = yield* request("GET", "/api/tasks?agent=codex")
      assert.strictEqual(byAgent.body.total, 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("needs a template and a task that exist", () =>
    Effect.gen(function* () {
      const { client } = yield* World
      const { templates } = yield* client()
      const task = yield* newTask()
      const template = yield* newTemplate("Incident")
      const apply = (id: string, templateId: string) =>
        Effect.flip(templates.apply({ path: { id }, headers: {}, payload: { templateId } }))
      assert.deepStrictEqual(
        yield* apply(task.id, "nowhere"),
        new TemplateNotFound({ templateId: "nowhere" })
      )
      assert.deepStrictEqual(yield* apply("nowhere", template.id), new TaskNotFound({ taskId: "nowhere" }))
      const { request } = yield* World
      assert.strictEqual((yield* request("GET", `/api/tasks/${task.id}`)).body.revision, 1)
      const nameless = yield* request("POST", `/api/tasks/${task.id}/apply-template`, { body: {} })
      assert.strictEqual(nameless.status, 400)
      assert.strictEqual(nameless.body.details.issues[0].path, "templateId")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("respects the task's revision and its archive", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* newTask()
      const template = yield* newTemplate("Spike", { project: "core" })
      const body = { templateId: template.id }
      const path = `/api/tasks/${task.id}/apply-template`
      const stale = yield* request("POST", path, { body, headers: { "x-resource-revision": "7" } })
      assert.strictEqual(stale.status, 409)
      assert.deepInclude(stale.body.details, { expectedRevision: 7, currentRevision: 1 })
      yield* request("POST", `/api/tasks/${task.id}/archive`)
      const archived = yield* request("POST", path, { body })
      assert.strictEqual(archived.status, 409)
      assert.strictEqual(archived.body.code, "CONFLICT")
    }).pipe(Effect.provide(shared))
  )
})

describe("permissions on templates", () => {
  it.scopedLive("let read-only keys read and nothing else", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const template = yield* newTemplate("Question")
      const task = yield* newTask()
      const as = "read-only"
      assert.strictEqual((yield* request("GET", "/api/templates", { as })).status, 200)
      assert.strictEqual((yield* request("GET", `/api/templates/${template.id}`, { as })).status, 200)
      assert.strictEqual((yield* request("GET", "/api/templates", { as: null })).status, 401)
      for (const [method, path, body] of [
        ["POST", "/api/templates", { name: "Mine" }],
        ["PATCH", `/api/templates/${template.id}`, { name: "Mine" }],
        ["DELETE", `/api/templates/${template.id}`, undefined],
        ["POST", `/api/tasks/${task.id}/apply-template`, { templateId: template.id }]
      ] as const) {
        const answer = yield* request(method, path, { as, body })
        assert.strictEqual(answer.status, 403)
        assert.strictEqual(answer.body.details.requiredPermission, "task:write")
      }
    }).pipe(Effect.provide(shared))
  )
})
