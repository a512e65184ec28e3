import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { type Listener, listen, type Message } from "../../support/Socket.ts"
import { type As, temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const shared = sharedWorld()

const say = (body: Record<string, unknown>, as: As = "admin") =>
  Effect.flatMap(World, ({ request }) => request("POST", "/api/chat/send", { as, body }))

const get = (path: string) =>
  Effect.flatMap(World, ({ request }) => request("GET", `/api/chat/sessions${path}`))

const remove = (id: string) =>
  Effect.flatMap(World, ({ request }) => request("DELETE", `/api/chat/sessions/${id}`))

const texts = (messages: ReadonlyArray<{ readonly content: string }>) =>
  messages.map(({ content }) => content)

describe("a chat session", () => {
  it.scopedLive("begins with its first message, and remembers who said what", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = (yield* request("POST", "/api/tasks", { body: { title: "Docs" } })).body
      const first = yield* say({ message: "How far?", agent: "codex", taskId: task.id })
      assert.strictEqual(first.status, 201)
      assert.hasAllKeys(first.body, ["sessionId", "message"])
      assert.deepInclude(first.body.message, { role: "user", content: "How far?" })
      const { sessionId } = first.body
      const second = yield* say({ sessionId, message: "Half." }, "agent")
      assert.deepInclude(second.body, { sessionId })
      assert.strictEqual(second.body.message.role, "assistant")
      const session = (yield* get(`/${sessionId}`)).body
      assert.deepInclude(session, { id: sessionId, agent: "codex", taskId: task.id, messageCount: 2 })
      const history = (yield* get(`/${sessionId}/history`)).body
      assert.deepStrictEqual(history, { sessionId, messages: [first.body.message, second.body.message] })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("keeps no secret that somebody says", () =>
    Effect.gen(function* () {
      const said = yield* say({ message: "Take ghp_0123456789abcdefghijABCDEFGHIJ012345" })
      assert.strictEqual(said.body.message.content, "Take [REDACTED]")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("shows its history page by page, the newest messages first to come", () =>
    Effect.gen(function* () {
      const { sessionId } = (yield* say({ message: "1" })).body
      for (const message of ["2", "3", "4", "5"]) yield* say({ sessionId, message })
      const newest = (yield* get(`/${sessionId}/history?limit=2`)).body.messages
      assert.deepStrictEqual(texts(newest), ["4", "5"])
      const older = (yield* get(`/${sessionId}/history?limit=2&before=${newest[0].id}`)).body.messages
      assert.deepStrictEqual(texts(older), ["2", "3"])
      assert.strictEqual((yield* get(`/${sessionId}/history?limit=0`)).status, 400)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is there after a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const said = yield* say({ message: "1" }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      const { sessionId } = said.body
      const history = yield* get(`/${sessionId}/history`).pipe(
        Effect.provide(worldIn(directory)),
        Effect.scoped
      )
      assert.deepStrictEqual(history.body, { sessionId, messages: [said.body.message] })
    })
  )

  it.scopedLive("takes no more than ten thousand messages", () =>
    Effect.gen(function* () {
      const { sessionId } = (yield* say({ message: "1" })).body
      const { write } = yield* Storage
      yield* write(run(sql`UPDATE chat_sessions SET message_count = 9999 WHERE id = ${sessionId}`))
      assert.strictEqual((yield* say({ sessionId, message: "the last" })).status, 201)
      const full = yield* say({ sessionId, message: "one more" })
      assert.strictEqual(full.status, 409)
      assert.deepStrictEqual(full.body, {
        error: `Chat session ${sessionId} holds 10000 messages, and no more: begin another one`,
        code: "CONFLICT",
        details: { sessionId, limit: 10_000 }
      })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is listed by its last word, and by its task", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = (yield* request("POST", "/api/tasks", { body: { title: "Docs" } })).body
      const one = (yield* say({ message: "1", taskId: task.id })).body.sessionId
      const two = (yield* say({ message: "2" })).body.sessionId
      yield* say({ sessionId: one, message: "again" })
      const all = yield* get("")
      assert.deepStrictEqual(
        all.body.map(({ id }: { readonly id: string }) => id),
        [one, two]
      )
      assert.strictEqual((yield* get("?limit=1")).headers.get("x-total-count"), "2")
      assert.lengthOf((yield* get(`?taskId=${task.id}`)).body, 1)
      yield* request("DELETE", `/api/tasks/${task.id}`, { as: "admin" })
      assert.strictEqual((yield* get(`/${one}`)).body.taskId, null)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is gone with its messages when it is deleted", () =>
    Effect.gen(function* () {
      const { sessionId } = (yield* say({ message: "1" })).body
      assert.strictEqual((yield* remove(sessionId)).status, 204)
      for (const path of [`/${sessionId}`, `/${sessionId}/history`]) {
        assert.strictEqual((yield* get(path)).status, 404)
      }
      assert.strictEqual((yield* remove(sessionId)).status, 404)
      assert.strictEqual((yield* say({ sessionId, message: "2" })).status, 404)
      assert.deepStrictEqual((yield* get("")).body, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("knows no unknown task, says nothing that is blank, and is not written by a reader", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* say({ message: "1", taskId: "nope" })).status, 404)
      assert.deepStrictEqual((yield* get("")).body, [])
      const blank = yield* say({ message: "  " })
      assert.strictEqual(blank.body.details.issues[0].path, "message")
      assert.strictEqual((yield* say({ message: "1" }, "read-only")).status, 403)
    }).pipe(Effect.provide(world()))
  )
})

const open = Effect.flatMap(World, ({ baseUrl }) => listen(baseUrl))

const follow = (listener: Listener, sessionId: string) =>
  Effect.zipRight(
    listener.send({ type: "chat:subscribe", sessionId }),
    listener.until(({ type }: Message) => type === "chat:subscribed" || type === "error")
  )

describe("a listener of a chat session", () => {
  it.scopedLive("hears what is said there, and nobody else does", () =>
    Effect.gen(function* () {
      const [one, two] = [
        (yield* say({ message: "1" })).body.sessionId,
        (yield* say({ message: "2" })).body.sessionId
      ]
      const [listener, stranger] = [yield* open, yield* open]
      assert.deepStrictEqual(yield* follow(listener, one), { type: "chat:subscribed", sessionId: one })
      yield* say({ sessionId: two, message: "not here" })
      const said = (yield* say({ sessionId: one, message: "here" })).body
      const heard = yield* listener.until(({ type }: Message) => type === "chat:message")
      assert.deepInclude(heard, { type: "chat:message", sessionId: one, message: said.message })
      yield* stranger.send({ type: "ping" })
      assert.strictEqual((yield* stranger.next).type, "pong")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("hears what it missed when it comes back, subscribes and resumes", () =>
    Effect.gen(function* () {
      const { sessionId } = (yield* say({ message: "1" })).body
      const before = yield* open
      yield* follow(before, sessionId)
      yield* say({ sessionId, message: "2" })
      const { sequence } = yield* before.until(({ type }: Message) => type === "chat:message")
      yield* before.cut
      yield* say({ sessionId, message: "3" })
      const after = yield* open
      yield* follow(after, sessionId)
      yield* after.send({ type: "resume", afterSequence: sequence })
      const heard = yield* after.until(({ type }: Message) => type === "chat:message")
      assert.strictEqual(heard.message.content, "3")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive(
    "is told of a session that there is not, and hears nothing of one that it left or that is gone",
    () =>
      Effect.gen(function* () {
        const listener = yield* open
        assert.deepInclude(yield* follow(listener, "nope"), {
          type: "error",
          code: "NOT_FOUND",
          requestType: "chat:subscribe"
        })
        const { sessionId } = (yield* say({ message: "1" })).body
        yield* follow(listener, sessionId)
        yield* listener.send({ type: "chat:unsubscribe", sessionId })
        yield* listener.until(({ type }: Message) => type === "chat:unsubscribed")
        yield* say({ sessionId, message: "2" })
        yield* follow(listener, sessionId)
        yield* remove(sessionId)
        yield* listener.send({ type: "ping" })
        assert.strictEqual((yield* listener.next).type, "pong")
      }).pipe(Effect.provide(shared))
  )
})

describe("a connection", () => {
  it.scopedLive("follows a hundred sessions, of which those that are deleted count no more", () =>
    Effect.gen(function* () {
      const ids: Array<string> = []
      for (let count = 0; count < 101; count++) ids.push((yield* say({ message: "1" })).body.sessionId)
      const [last = "", ...others] = ids
      const listener = yield* open
      for (const id of others) yield* follow(listener, id)
      assert.deepInclude(yield* follow(listener, last), { type: "error", code: "LIMIT_REACHED" })
      yield* remove(others[0] ?? "")
      // What comes after the deletion shows that the connection has heard of it.
      yield* Effect.flatMap(World, ({ request }) =>
        request("POST", "/api/tasks", { body: { title: "After it" } })
      )
      yield* listener.until(({ type }: Message) => type === "task:updated")
      assert.deepStrictEqual(yield* follow(listener, last), { type: "chat:subscribed", sessionId: last })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("without the permission to read tasks follows nothing and hears nothing", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* World
      const { token } = (yield* request("POST", "/api/auth/tokens", {
        as: "admin",
        body: { name: "CI", role: "agent", scopes: ["settings:read"] }
      })).body
      const listener = yield* listen(baseUrl, { headers: { "x-api-key": token } })
      const { sessionId } = (yield* say({ message: "1" })).body
      for (const message of [{ type: "chat:subscribe", sessionId }, { type: "run-session:subscribe" }]) {
        yield* listener.send(message)
        assert.deepInclude(yield* listener.next, {
          type: "error",
          code: "PERMISSION_DENIED",
          requestType: message.type
        })
      }
      yield* say({ sessionId, message: "2" })
      yield* request("POST", "/api/tasks", { body: { title: "Not for everybody" } })
      yield* listener.send({ type: "ping" })
      assert.deepInclude(yield* listener.next, { type: "error", code: "PERMISSION_DENIED" })
    }).pipe(Effect.provide(shared))
  )
})

describe("a listener of shared runs", () => {
  it.scopedLive("is confirmed", () =>
    Effect.gen(function* () {
      const listener = yield* open
      yield* listener.send({ type: "run-session:subscribe" })
      assert.deepStrictEqual(yield* listener.next, { type: "run-session:subscribed" })
    }).pipe(Effect.provide(shared))
  )
})
