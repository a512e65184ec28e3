import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, createTask } from "../../support/Board.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World } from "../../support/World.ts"

const shared = sharedWorld()

const family = "👨‍👩‍👧‍👦"

describe("the texts of a task", () => {
  it.scopedLive("are as long as a reader counts, on their way in and back", () =>
    Effect.gen(function* () {
      const { client, request } = yield* World
      const title = family.repeat(500)
      assert.strictEqual((yield* createTask({ title })).title, title)
      const { tasks } = yield* client()
      assert.strictEqual(
        (yield* tasks.create({ payload: { title } })).title,
        title,
        "the typed client agrees"
      )
      const long = yield* request("POST", "/api/tasks", { body: { title: `${title}!` } })
      assert.deepStrictEqual(
        [long.status, long.body.details.issues],
        [400, [{ path: "title", message: "Expected at most 500 characters" }]]
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("say something: what nobody sees is no title, no label and no comment", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* createTask()
      for (const unseen of ["\u200b", "\u2060\ufeff ", "\u3164", "\u202e\u202c", "\u{e0041}", "\u2800"]) {
        for (const [method, path, body] of [
          ["POST", "/api/tasks", { title: unseen }],
          ["PATCH", `/api/tasks/${id}`, { title: unseen }],
          ["PATCH", `/api/tasks/${id}`, { labels: [unseen] }],
          ["POST", `/api/tasks/${id}/comments`, { text: unseen }]
        ] as const) {
          const refused = yield* request(method, path, { body })
          assert.strictEqual(refused.status, 400, `${method} ${path} ${JSON.stringify(body)}`)
          assert.strictEqual(refused.body.details.issues[0].message, "Expected text that is not blank")
        }
      }
      assert.strictEqual((yield* ask("GET", `/api/tasks/${id}`)).revision, 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("name each agent once", () =>
    Effect.gen(function* () {
      const { agents, id } = yield* createTask({ agents: ["codex", " codex", "claude", "codex\n"] })
      assert.deepStrictEqual(agents, ["codex", "claude"])
      const patched = yield* ask("PATCH", `/api/tasks/${id}`, { body: { agents: ["b ", "b", "a"] } })
      assert.deepStrictEqual(patched.agents, ["b", "a"])
      const line = JSON.stringify({ id: "I-1", title: "One", agents: ["x ", "x"], assignees: ["y", " x "] })
      yield* ask("POST", "/api/tasks/import", {
        as: "admin",
        raw: line,
        headers: { "content-type": "application/x-ndjson" }
      })
      assert.deepStrictEqual((yield* ask("GET", "/api/tasks/I-1")).agents, ["x"])
    }).pipe(Effect.provide(shared))
  )
})
