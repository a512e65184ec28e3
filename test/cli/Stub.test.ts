import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { cliWith } from "../support/Cli.ts"
import { type Seen, type StubAnswer, stub } from "../support/Stub.ts"
import { temporaryDirectory } from "../support/World.ts"

/** A task as a server that follows the contract would send it. */
const task = (fields: Readonly<Record<string, unknown>> = {}) => ({
  id: "T-1",
  title: "Sail",
  status: "todo",
  priority: "medium",
  type: "code",
  agents: [],
  labels: [],
  position: 0,
  revision: 1,
  archived: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  createdBy: "codex",
  updatedBy: "codex",
  comments: [],
  acceptanceCriteria: [],
  attempts: [],
  externalWorkItems: [],
  delegatedWork: [],
  dependencies: [],
  timeTracking: { entries: [], totalMs: 0, isRunning: false },
  statusHistory: [],
  ...fields
})

const gate = {
  success: false,
  error: {
    code: "CLOSING_COMMENT_REQUIRED",
    message: "A task is completed with a comment of at least 20 characters; the longest has 4",
    details: { commentCount: 1, longestComment: 4, requiredLength: 20 }
  }
}

const status = {
  enabled: true,
  authenticated: true,
  role: "agent",
  method: "api-key",
  name: "codex",
  userId: "codex",
  workspaceId: "default",
  permissions: [],
  setupRequired: false
}

const against = (answer: (seen: Seen) => StubAnswer, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const server = yield* stub((seen) => (seen.url === "/api/auth/status" ? { body: status } : answer(seen)))
    const environment = {
      SERVICE_API_URL: server.url,
      SERVICE_API_KEY: "the-key",
      SERVICE_DATA_DIR: "/nowhere"
    }
    return { ran: yield* cliWith(environment, ...args), seen: server.seen }
  })

describe("the command", () => {
  it.scopedLive("is a client of the API and of nothing else", () =>
    Effect.gen(function* () {
      const { ran, seen } = yield* against(() => ({ body: task() }), "begin", "T-1")
      assert.strictEqual(ran.exitCode, 0)
      assert.deepStrictEqual(
        seen.map(({ method, url }) => `${method} ${url}`),
        [
          "GET /api/auth/status",
          "GET /api/tasks/T-1",
          "PATCH /api/tasks/T-1",
          "POST /api/tasks/T-1/time/start"
        ]
      )
      assert.deepStrictEqual(new Set(seen.map(({ key }) => key)), new Set(["the-key"]))
      assert.deepStrictEqual(JSON.parse(seen[2]?.body ?? ""), { status: "in-progress", assignee: "codex" })
    })
  )

  it.scopedLive("passes the server's envelope on, and lists what a gate misses", () =>
    Effect.gen(function* () {
      const answer = ({ method }: Seen) =>
        method === "PATCH" ? { status: 400, body: gate } : { body: task() }
      const json = yield* against(answer, "done", "T-1", "--json")
      assert.strictEqual(json.ran.exitCode, 5)
      assert.deepStrictEqual(json.ran.json(), gate)
      const told = yield* against(answer, "done", "T-1")
      assert.deepStrictEqual([told.ran.exitCode, told.ran.stdout], [5, ""])
      assert.include(told.ran.stderr, "comments: 1; the longest has 4 characters, needs 20")
      assert.include(told.ran.stderr, "muster comment")
      assert.isFalse(told.seen.some(({ url }) => url.endsWith("/time/stop")))
    })
  )

  it.scopedLive("takes a timer that is there already for granted, and no other conflict", () =>
    Effect.gen(function* () {
      const conflict = { status: 409, body: { error: "The timer is running", code: "CONFLICT", details: {} } }
      const running = task({
        status: "in-progress",
        timeTracking: { entries: [], totalMs: 0, isRunning: true }
      })
      const fine = yield* against(
        ({ method }) => (method === "POST" ? conflict : { body: running }),
        "begin",
        "T-1"
      )
      assert.strictEqual(fine.ran.exitCode, 0)
      const stopped = task({ status: "in-progress" })
      const bad = yield* against(
        ({ method }) => (method === "POST" ? conflict : { body: stopped }),
        "begin",
        "T-1"
      )
      assert.strictEqual(bad.ran.exitCode, 5)
    })
  )

  it.scopedLive("does not mistake another server for the board", () =>
    Effect.gen(function* () {
      const page = { type: "text/html", body: "<html>Hello</html>" }
      const found = yield* against(() => page, "list", "--json")
      assert.strictEqual(found.ran.exitCode, 1)
      assert.deepInclude(found.ran.json(), { code: "UNEXPECTED_ANSWER" })
      const missing = yield* against(() => ({ ...page, status: 404 }), "list")
      assert.strictEqual(missing.ran.exitCode, 1)
      assert.include(missing.ran.stderr, "SERVICE_API_URL")
      const proxy = yield* against(() => ({ ...page, status: 502 }), "list", "--json")
      assert.strictEqual(proxy.ran.exitCode, 6)
    })
  )

  it.scoped("gives up on a server that does not answer", () =>
    Effect.gen(function* () {
      const server = yield* stub(() => ({ hang: true }))
      const environment = {
        SERVICE_API_URL: server.url,
        SERVICE_API_KEY: "the-key",
        SERVICE_DATA_DIR: "/nowhere"
      }
      const running = yield* Effect.fork(cliWith(environment, "list", "--json"))
      yield* server.asked
      yield* TestClock.adjust("10 seconds")
      const ran = yield* Fiber.join(running)
      assert.strictEqual(ran.exitCode, 6)
      assert.include(ran.json().error, "longer than 10 seconds")
    })
  )

  it.scopedLive("says how far an import came before the server went away, and goes on from there", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "tasks.jsonl")
      writeFileSync(file, Array.from({ length: 450 }, (_, index) => `{"title":"Task ${index}"}`).join("\n"))
      const counts = { failed: 0, unresolved: 0, skippedDependencies: 0, duplicates: 0, ignoredFields: 0 }
      const lists = { failed: [], unresolved: [], skippedDependencies: [], duplicates: [], ignoredFields: [] }
      let requests = 0
      const answer = ({ body }: Seen): StubAnswer =>
        ++requests > 2
          ? {
              status: 503,
              body: {
                error: "Nothing was written: the disk is full",
                code: "STORAGE_UNAVAILABLE",
                details: {}
              }
            }
          : { body: { imported: body.split("\n").length, unchanged: 0, ...lists, counts } }
      const { ran, seen } = yield* against(answer, "import", file)
      assert.deepStrictEqual(
        seen.map(({ body }) => body.split("\n").length),
        [200, 200, 50]
      )
      assert.deepStrictEqual([ran.exitCode, ran.stdout], [6, ""])
      assert.include(ran.stderr, "400 of 450 lines were sent before this. Run the command again")
      assert.include(ran.stderr, "Nothing was written: the disk is full")
    })
  )
})
