import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { permissionsOf } from "../src/kernel/Permission.ts"
import { Storage } from "../src/storage/Storage.ts"
import { pathWith, type Route, routes } from "./contract/Contract.ts"
import { scenarios } from "./contract/Scenarios.ts"
import { auditTrail, brokenLink } from "./support/Audit.ts"
import { ask, createTask, etagOf, moveBody } from "./support/Board.ts"
import { World, world } from "./support/World.ts"

/** What a write needs to be there before it. */
const scene = Effect.gen(function* () {
  const other = yield* createTask({ title: "The other" })
  const { id } = yield* createTask({ status: "backlog" })
  const at = `/api/tasks/${id}`
  yield* ask("POST", `${at}/dependencies`, { body: { dependsOn: other.id } })
  yield* ask("POST", `${at}/comments`, { body: { text: "A comment" } })
  const observation = yield* ask("POST", `${at}/observations`, { body: { content: "It is small" } })
  yield* ask("POST", `${at}/checkpoint`, { body: { state: 1 } })
  const task = yield* ask("POST", `${at}/time/entry`, { body: { durationMs: 1 } })
  const reader = randomUUID()
  const message = yield* ask("POST", "/api/chat/squad", {
    body: { agent: "codex", message: `@${reader} hi` }
  })
  const [notification] = yield* ask("GET", `/api/notifications?actor=${reader}`)
  const template = yield* ask("POST", "/api/templates", {
    as: "admin",
    body: { name: randomUUID(), fields: { project: "Muster" } }
  })
  const archived = yield* createTask()
  yield* ask("POST", `/api/tasks/${archived.id}/archive`)
  const running = yield* createTask()
  yield* ask("POST", `/api/tasks/${running.id}/time/start`)
  return { task, other, observation, message, reader, notification, template, archived, running }
})
type Scene = Effect.Effect.Success<typeof scene>

interface Write {
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** One write that succeeds for every route of the contract that writes. */
const writes: Readonly<Record<string, (scene: Scene) => Write>> = {
  "POST /api/agent/status": () => ({ path: "/api/agent/status", body: { status: randomUUID() } }),
  "POST /api/agent/status/delegation-violation": () => ({
    path: "/api/agent/status/delegation-violation",
    body: { agent: "codex" }
  }),
  "POST /api/tasks/:id/checkpoint": ({ other }) => ({
    path: `/api/tasks/${other.id}/checkpoint`,
    body: { state: { step: 2 } }
  }),
  "DELETE /api/tasks/:id/checkpoint": ({ task }) => ({ path: `/api/tasks/${task.id}/checkpoint` }),
  "POST /api/tasks/:id/comments": ({ task }) => ({
    path: `/api/tasks/${task.id}/comments`,
    body: { text: "More" }
  }),
  "PATCH /api/tasks/:id/comments/:commentId": ({ task }) => ({
    path: `/api/tasks/${task.id}/comments/${task.comments[0].id}`,
    body: { text: "Better" }
  }),
  "DELETE /api/tasks/:id/comments/:commentId": ({ task }) => ({
    path: `/api/tasks/${task.id}/comments/${task.comments[0].id}`
  }),
  "POST /api/tasks/:id/dependencies": ({ running, task }) => ({
    path: `/api/tasks/${task.id}/dependencies`,
    body: { dependsOn: running.id }
  }),
  "DELETE /api/tasks/:id/dependencies/:dependencyId": ({ other, task }) => ({
    path: `/api/tasks/${task.id}/dependencies/${other.id}`
  }),
  "POST /api/tasks/:id/observations": ({ task }) => ({
    path: `/api/tasks/${task.id}/observations`,
    body: { content: "It is late" }
  }),
  "DELETE /api/tasks/:id/observations/:observationId": ({ observation, task }) => ({
    path: `/api/tasks/${task.id}/observations/${observation.id}`
  }),
  "POST /api/observations": ({ task }) => ({
    path: "/api/observations",
    body: { taskId: task.id, content: "It is late" }
  }),
  "DELETE /api/observations/:observationId": ({ observation }) => ({
    path: `/api/observations/${observation.id}`
  }),
  "PUT /api/tasks/:id/progress": ({ task }) => ({
    path: `/api/tasks/${task.id}/progress`,
    body: { content: "Half" }
  }),
  "POST /api/tasks/:id/progress/append": ({ task }) => ({
    path: `/api/tasks/${task.id}/progress/append`,
    body: { text: "More" }
  }),
  "PATCH /api/settings/features": () => ({ path: "/api/settings/features", body: { darkMode: true } }),
  "POST /api/chat/squad": () => ({ path: "/api/chat/squad", body: { agent: "codex", message: "Hello" } }),
  "POST /api/chat/squad/read": ({ message, reader }) => ({
    path: "/api/chat/squad/read",
    body: { actor: reader, messageId: message.id }
  }),
  "POST /api/chat/squad/:messageId/pin": ({ message }) => ({
    path: `/api/chat/squad/${message.id}/pin`,
    body: { pinned: true }
  }),
  "POST /api/chat/squad/:messageId/react": ({ message }) => ({
    path: `/api/chat/squad/${message.id}/react`,
    body: { actor: "ann", reaction: "+1" }
  }),
  "POST /api/notifications/:id/read": ({ notification }) => ({
    path: `/api/notifications/${notification.id}/read`
  }),
  "POST /api/tasks": () => ({ path: "/api/tasks", body: { title: "New" } }),
  "PATCH /api/tasks/:id": ({ task }) => ({ path: `/api/tasks/${task.id}`, body: { status: "done" } }),
  "DELETE /api/tasks/:id": ({ task }) => ({ path: `/api/tasks/${task.id}` }),
  "POST /api/tasks/reorder": ({ other }) => ({ path: "/api/tasks/reorder", body: { taskIds: [other.id] } }),
  "POST /api/tasks/:id/move": ({ task }) => ({
    path: `/api/tasks/${task.id}/move`,
    body: moveBody(task, "todo", 0),
    headers: { "if-match": etagOf(task) }
  }),
  "POST /api/tasks/bulk-update": ({ task }) => ({
    path: "/api/tasks/bulk-update",
    body: { taskIds: [task.id], updates: { priority: "low" } }
  }),
  "POST /api/tasks/bulk-archive-by-ids": ({ task }) => ({
    path: "/api/tasks/bulk-archive-by-ids",
    body: { taskIds: [task.id] }
  }),
  "POST /api/tasks/:id/archive": ({ task }) => ({ path: `/api/tasks/${task.id}/archive` }),
  "POST /api/tasks/:id/restore": ({ archived }) => ({ path: `/api/tasks/${archived.id}/restore` }),
  "POST /api/tasks/:id/demote": ({ other }) => ({ path: `/api/tasks/${other.id}/demote` }),
  "POST /api/tasks/:id/promote": ({ task }) => ({ path: `/api/tasks/${task.id}/promote` }),
  "POST /api/tasks/import": () => ({
    path: "/api/tasks/import",
    body: { title: randomUUID() },
    headers: { "content-type": "application/x-ndjson" }
  }),
  "POST /api/telemetry/events": () => ({
    path: "/api/telemetry/events",
    body: { type: "run.started", taskId: "T", agent: "codex" }
  }),
  "POST /api/telemetry/events/bulk": () => ({
    path: "/api/telemetry/events/bulk",
    body: { events: [{ type: "run.started", taskId: "T", agent: "codex" }] }
  }),
  "POST /api/templates": () => ({ path: "/api/templates", body: { name: randomUUID() } }),
  "PATCH /api/templates/:id": ({ template }) => ({
    path: `/api/templates/${template.id}`,
    body: { description: "New" }
  }),
  "DELETE /api/templates/:id": ({ template }) => ({ path: `/api/templates/${template.id}` }),
  "POST /api/tasks/:id/apply-template": ({ task, template }) => ({
    path: `/api/tasks/${task.id}/apply-template`,
    body: { templateId: template.id }
  }),
  "POST /api/tasks/:id/time/start": ({ task }) => ({ path: `/api/tasks/${task.id}/time/start` }),
  "POST /api/tasks/:id/time/stop": ({ running }) => ({ path: `/api/tasks/${running.id}/time/stop` }),
  "POST /api/tasks/:id/time/entry": ({ task }) => ({
    path: `/api/tasks/${task.id}/time/entry`,
    body: { durationMs: 60_000 }
  }),
  "DELETE /api/tasks/:id/time/entry/:entryId": ({ task }) => ({
    path: `/api/tasks/${task.id}/time/entry/${task.timeTracking.entries[0].id}`
  })
}

/** Every route of the contract that may write and has no write here: its scenario is one, and says how many links. */
const scenariosOfWrites = routes.filter(
  ({ method, path }) => method !== "GET" && writes[`${method} ${path}`] === undefined
)

/** A reader may use these, so they refuse nobody. */
const openToReaders = ({ guard, ways }: Route): boolean =>
  guard === "public" || ways.some(({ permission }) => permissionsOf("read-only").has(permission))

/**
 * What was recorded since a sequence: the links of the chain. Every one of them came with its event, but for logins and
 * denials, which are no news for anybody.
 */
const recordedSince = (sequence: number) =>
  Effect.gen(function* () {
    const { select } = yield* Storage
    const [counts] = yield* select<{ links: number; events: number }>(
      (sql) => sql`
        SELECT (SELECT COUNT(*) FROM outbox) AS events,
          (SELECT COUNT(*) FROM audit WHERE action <> 'permission.denied' AND action NOT LIKE 'auth.%') AS links`
    )
    assert.strictEqual(
      counts?.events,
      counts?.links,
      "an event without its link, or a link without its event"
    )
    return yield* select<{ action: string; resourceId: string; actor: string; role: string }>(
      (sql) =>
        sql`SELECT action, resource_id AS resourceId, actor, role FROM audit
            WHERE sequence > ${sequence} AND action <> 'permission.denied' ORDER BY sequence`
    )
  })

const head = Effect.flatMap(Storage, ({ select }) =>
  Effect.map(
    select<{ n: number }>((sql) => sql`SELECT COUNT(*) AS n FROM audit`),
    ([count]) => count?.n ?? 0
  )
)

describe("the audit of the API", () => {
  it.scopedLive(
    "has exactly one link for every write that succeeds, and none for one that is not allowed",
    () =>
      Effect.gen(function* () {
        const { request } = yield* World
        for (const [route, writeOf] of Object.entries(writes)) {
          const [method = ""] = route.split(" ")
          const { path, ...options } = writeOf(yield* scene)
          const before = yield* head
          const refused = yield* request(method, path, { ...options, as: "read-only" })
          assert.strictEqual(refused.status, 403, route)
          assert.deepStrictEqual(yield* recordedSince(before), [], `${route} as a reader`)
          const done = yield* request(method, path, { ...options, as: "admin" })
          assert.isBelow(done.status, 300, `${route}: ${JSON.stringify(done.body)}`)
          const links = yield* recordedSince(before)
          assert.strictEqual(links.length, 1, `${route}: ${links.map(({ action }) => action)}`)
          assert.deepInclude(links[0], { actor: "admin", role: "admin" })
        }
        assert.strictEqual(brokenLink(yield* auditTrail), undefined)
      }).pipe(Effect.provide(world()))
  )

  it.scopedLive("has the links that the scenario of every other write says", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const route of scenariosOfWrites) {
        const scenario = scenarios[route.name]
        if (scenario === undefined) return assert.fail(`${route.name} has no scenario`)
        const { links = 1, path = {}, query = "", ...sent } = yield* scenario(request)
        const at = `${pathWith(route, (name) => path[name] ?? assert.fail(`the path needs ${name}`))}${query}`
        const before = yield* head
        if (!openToReaders(route)) {
          const refused = yield* request(route.method, at, { ...sent, as: "read-only" })
          assert.strictEqual(refused.status, 403, route.name)
          assert.deepStrictEqual(yield* recordedSince(before), [], `${route.name} as a reader`)
        }
        const done = yield* request(route.method, at, { as: "admin", ...sent })
        assert.isBelow(done.status, 300, `${route.name}: ${JSON.stringify(done.body)}`)
        const recorded = (yield* recordedSince(before)).map(({ action }) => action)
        assert.strictEqual(recorded.length, links, `${route.name}: ${recorded}`)
      }
      assert.strictEqual(brokenLink(yield* auditTrail), undefined)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("has a link for each task that a write changes, and none for those it leaves alone", () =>
    Effect.gen(function* () {
      const { other, task } = yield* scene
      const bulk = yield* head
      yield* ask("POST", "/api/tasks/bulk-update", {
        body: { taskIds: [task.id, "nobody", other.id], updates: { priority: "low" } }
      })
      const updated = (yield* recordedSince(bulk)).map(({ action, resourceId }) => [action, resourceId])
      assert.deepStrictEqual(updated, [
        ["task.updated", task.id],
        ["task.updated", other.id]
      ])
      // The task that depends on the deleted one loses an edge, and that is a change of its own.
      const deletion = yield* head
      yield* ask("DELETE", `/api/tasks/${other.id}`, { as: "admin" })
      const deleted = (yield* recordedSince(deletion)).map(({ action, resourceId }) => [action, resourceId])
      assert.deepStrictEqual(deleted, [
        ["task.updated", task.id],
        ["task.deleted", other.id]
      ])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("knows nothing of writes that their rules refuse", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { archived, other, running, task } = yield* scene
      const before = yield* head
      const stale = { "if-match": `"task:${task.id}:1"` }
      const at = `/api/tasks/${task.id}`
      const refusals: ReadonlyArray<readonly [number, string, string, unknown?]> = [
        [400, "POST", "/api/tasks", {}],
        [409, "POST", "/api/tasks", { id: task.id, title: "Taken" }],
        [409, "PATCH", at, { title: "Stale" }],
        [409, "POST", `${at}/move`, moveBody(task, "done", 0)],
        [409, "POST", `${at}/comments`, { text: "Stale" }],
        [409, "PUT", `${at}/progress`, { content: "Stale" }],
        [404, "PATCH", "/api/tasks/nobody", { title: "Nobody" }],
        [404, "POST", "/api/tasks/reorder", { taskIds: [other.id, "nobody"] }],
        [409, "POST", `/api/tasks/${other.id}/dependencies`, { dependsOn: task.id }],
        [409, "POST", `/api/tasks/${archived.id}/comments`, { text: "Too late" }],
        [409, "POST", `/api/tasks/${running.id}/time/start`],
        [409, "POST", `/api/tasks/${other.id}/restore`],
        [404, "DELETE", `/api/tasks/${other.id}/comments/comment_1`],
        [200, "PATCH", `/api/tasks/${other.id}`, {}],
        [200, "POST", "/api/tasks/bulk-update", { taskIds: ["nobody"], updates: { title: "Nobody" } }]
      ]
      for (const [status, method, path, body] of refusals) {
        const headers = path.startsWith(at) ? stale : {}
        const answer = yield* request(method, path, { body, headers })
        assert.strictEqual(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
        assert.deepStrictEqual(yield* recordedSince(before), [], `${method} ${path}`)
      }
    }).pipe(Effect.provide(world()))
  )
})
