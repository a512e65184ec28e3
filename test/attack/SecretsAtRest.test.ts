import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ask, createTask, getTask } from "../support/Board.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { World, world } from "../support/World.ts"
import { alnum, randomOf } from "./redaction/Random.ts"

const shared = sharedWorld()

const random = randomOf(9)
/** A synthetic token; its body is what must not be found anywhere. */
const body = `${random.of(alnum, 35)}7`
const secret = `ghp_${body}`
/** A key of an operator's own making, which has no shape that would tell. */
const ownKey = "blue-elephants-march-quietly"

/** Whether the bytes stand in any file of the data directory: the database, what it has not yet taken over, the rest. */
const isStored = (directory: string, text: string): boolean =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text))

const fields = {
  description: `use ${secret}`,
  type: secret,
  project: secret,
  assignee: secret,
  agents: [secret],
  labels: [secret],
  acceptanceCriteria: [{ text: `log in with ${secret}`, done: false }],
  completionSummary: secret,
  lessonsLearned: secret,
  runMode: secret,
  executionPolicy: { allowedSideEffects: [{ kind: secret, scope: secret }] },
  git: { repo: secret, branch: secret, baseBranch: secret }
}

describe("a secret", () => {
  it.scopedLive("that is sent in any text of the board is stored nowhere", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      const post = (path: string, sent: unknown, as: "agent" | "admin" = "agent") =>
        ask("POST", path, { as, body: sent })
      const { id } = yield* createTask({
        ...fields,
        title: secret,
        externalWorkItems: [
          { provider: "github", repository: "a/b", number: 1, url: `https://bob:${secret}@example.com/` }
        ]
      })
      yield* ask("PATCH", `/api/tasks/${id}`, { body: fields })
      yield* post(`/api/tasks/${id}/comments`, { text: secret })
      yield* post(`/api/tasks/${id}/progress/append`, { text: secret, section: secret })
      yield* post(`/api/tasks/${id}/observations`, { content: secret, agent: secret })
      yield* post(`/api/tasks/${id}/checkpoint`, { state: { [secret]: [{ note: secret }] } })
      yield* post(`/api/tasks/${id}/time/entry`, { durationMs: 60_000, description: secret })
      const message = yield* post("/api/chat/squad", {
        agent: secret,
        message: `@${secret} ${secret}`,
        model: secret,
        tags: [secret],
        mentions: [{ target: secret, kind: secret }],
        runId: secret
      })
      yield* post(`/api/chat/squad/${message.id}/react`, { actor: secret, reaction: secret })
      yield* post("/api/chat/send", { message: secret, agent: secret })
      yield* post("/api/agent/status", {
        status: secret,
        activeAgents: [{ agent: secret, status: secret, taskTitle: secret }]
      })
      yield* post("/api/agent/status/delegation-violation", {
        agent: secret,
        action: secret,
        details: { [secret]: secret }
      })
      yield* post("/api/ceremonies", {
        taskId: id,
        type: "design-review",
        participants: [secret],
        runId: secret,
        workflowId: secret
      })
      yield* post("/api/telemetry/events", { type: "run.started", taskId: secret, agent: secret })
      yield* post("/api/templates", { name: secret, description: secret, fields }, "admin")
      const { id: running } = yield* post("/api/tasks", { title: "An attempt" })
      yield* post("/api/agents/register", { id: "codex", name: secret, version: secret })
      const { attemptId, providerRuntimeManifestDigest } = yield* post(`/api/agents/${running}/start`, {})
      yield* post(`/api/agents/${running}/message`, { attemptId, message: secret, actor: secret })
      yield* post(`/api/agents/${running}/complete`, {
        attemptId,
        providerRuntimeManifestDigest,
        status: "blocked",
        summary: secret,
        blockers: [secret, { message: secret, detail: secret }],
        providerEvidence: { [secret]: secret },
        artifacts: [{ name: secret, reference: secret }],
        verification: [{ name: secret, status: "failed", summary: secret }],
        continuation: { kind: "note", reference: secret, summary: secret },
        files: [secret]
      })
      yield* post("/api/auth/tokens", { name: secret, role: "read-only" }, "admin")
      assert.isFalse(isStored(directory, body))
      assert.isTrue(isStored(directory, "[REDACTED]"))
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("in an id is a fault of the request", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      const own = yield* request("POST", "/api/tasks", { body: { title: "x", id: secret } })
      const items = [{ provider: "github", repository: `acme/${secret}`, number: 1 }]
      const item = yield* request("PATCH", `/api/tasks/${id}`, { body: { externalWorkItems: items } })
      const lines = yield* request("POST", "/api/tasks/import", {
        as: "admin",
        raw: JSON.stringify({ title: "x", sourceId: secret }),
        headers: { "content-type": "application/x-ndjson" }
      })
      for (const { body: told, status } of [own, item]) {
        assert.strictEqual(status, 400)
        assert.include(JSON.stringify(told), "Expected no secret in it")
        assert.notInclude(JSON.stringify(told), secret)
      }
      assert.strictEqual(lines.body.failed.length, 1)
      assert.notInclude(JSON.stringify(lines.body), secret)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is what a filter is asked for without it, as the tasks were stored", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask({ assignee: secret, project: "muster" })
      yield* createTask({ assignee: "anna", project: "muster" })
      const { tasks } = yield* ask("GET", `/api/tasks?assignee=${secret}`)
      assert.deepStrictEqual(
        tasks.map((task: { id: string }) => task.id),
        [id]
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("of the service itself is known by its value", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      const { id } = yield* createTask({ title: `try ${ownKey} at the door`, labels: [ownKey] })
      assert.deepInclude(yield* getTask(id), { title: "try [REDACTED] at the door", labels: ["[REDACTED]"] })
      assert.isFalse(isStored(directory, ownKey))
    }).pipe(Effect.provide(world({ secrets: new Map([["TRACKER_KEY", Redacted.make(ownKey)]]) })))
  )

  it.scopedLive("is text like any other once the service that held it is gone", () =>
    Effect.gen(function* () {
      const { id } = yield* createTask({ title: `try ${ownKey} at the door` })
      assert.deepInclude(yield* getTask(id), { title: `try ${ownKey} at the door` })
    }).pipe(Effect.provide(shared))
  )
})
