import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as SquadPost from "../../../src/board/squad/SquadPost.ts"
import { system } from "../../../src/kernel/Actor.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const shared = sharedWorld()

/** How many files of a directory, however deep, contain a text. */
const occurrences = (directory: string, text: string) =>
  Effect.sync(
    () =>
      readdirSync(directory, { recursive: true, encoding: "utf8" })
        .map((name) => join(directory, name))
        .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text)).length
  )

/** Says something through HTTP, and gives the message. */
const say = (message: string, more: Readonly<Record<string, unknown>> = {}) =>
  Effect.flatMap(World, ({ request }) =>
    Effect.map(
      request("POST", "/api/chat/squad", { body: { agent: "codex", message, ...more } }),
      ({ body }) => body
    )
  )

const texts = (messages: ReadonlyArray<{ readonly message: string }>) =>
  messages.map(({ message }) => message)

describe("a squad message", () => {
  it.scopedLive("is posted with all that it is about, and every key on the board reads it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* request("POST", "/api/tasks", { body: { title: "Docs" } })
      const root = yield* say("Who takes the docs?")
      const reply = {
        agent: " claude ",
        message: "  I do,\n\tafter lunch. ",
        model: "opus",
        tags: ["docs"],
        replyToId: root.id,
        mentions: [{ target: "ann", kind: "user" }],
        taskId: task.body.id,
        runId: "run_1",
        pinned: true,
        decision: true
      }
      const posted = yield* request("POST", "/api/v1/chat/squad", { body: reply })
      assert.strictEqual(posted.status, 201)
      assert.match(posted.body.id, /^msg_[0-9a-z]{16}$/)
      const { createdAt, id, timestamp, ...content } = posted.body
      assert.strictEqual(timestamp, createdAt)
      assert.deepStrictEqual(content, {
        ...reply,
        agent: "claude",
        system: false,
        reactions: [],
        createdBy: "codex"
      })
      const listed = yield* request("GET", "/api/chat/squad", { as: "read-only" })
      assert.deepStrictEqual(listed.body, [root, posted.body])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("needs an author and something to say", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const invalid = [
        {},
        { message: "hi" },
        { agent: "codex" },
        { agent: " ", message: "hi" },
        { agent: "codex", message: " \n" },
        { agent: "codex", message: "x".repeat(10_001) },
        { agent: "x".repeat(201), message: "hi" },
        { agent: "codex", message: "hi", tags: [1] },
        { agent: "codex", message: "hi", tags: Array(51).fill("t") },
        { agent: "codex", message: "hi", mentions: "ann" },
        { agent: "codex", message: "hi", mentions: [{ target: 1, kind: "user" }] },
        { agent: "codex", message: "hi", mentions: [{ target: "ann", kind: 1 }] },
        { agent: "codex", message: "hi", mentions: Array(51).fill({ target: "ann", kind: "user" }) },
        { agent: "codex", message: "hi", pinned: "yes" }
      ]
      for (const body of invalid) {
        const refused = yield* request("POST", "/api/chat/squad", { body })
        assert.strictEqual(refused.status, 400, JSON.stringify(body).slice(0, 100))
        assert.strictEqual(refused.body.code, "VALIDATION_ERROR")
      }
      const longest = yield* request("POST", "/api/chat/squad", {
        body: { agent: "codex", message: "x".repeat(10_000) }
      })
      assert.strictEqual(longest.status, 201)
      assert.strictEqual((yield* request("GET", "/api/chat/squad")).body.length, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("refers to messages and tasks that exist", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const refers = (to: object) =>
        request("POST", "/api/chat/squad", { body: { agent: "codex", message: "hi", ...to } })
      const noTask = yield* refers({ taskId: "task_none" })
      assert.strictEqual(noTask.status, 404)
      assert.deepStrictEqual(noTask.body, {
        error: "Task task_none does not exist",
        code: "NOT_FOUND",
        details: { taskId: "task_none" }
      })
      const noParent = yield* refers({ replyToId: "msg_none" })
      assert.strictEqual(noParent.status, 404)
      assert.deepStrictEqual(noParent.body, {
        error: "Message msg_none does not exist",
        code: "NOT_FOUND",
        details: { messageId: "msg_none" }
      })
      assert.deepStrictEqual((yield* request("GET", "/api/chat/squad")).body, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("can't be passed off as an event of the service", () =>
    Effect.gen(function* () {
      const message = yield* say("I completed everything", { system: true, kind: "completed" })
      assert.isFalse(message.system)
      assert.notProperty(message, "kind")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("holds no secret, wherever it was written", () =>
    Effect.gen(function* () {
      const { directory, request } = yield* World
      const secret = `ghp_${"a1B2".repeat(9)}`
      const posted = yield* say(`The token is ${secret}, use it`, {
        agent: `bot ${secret}`,
        model: secret,
        tags: [secret],
        runId: secret,
        mentions: [{ target: secret, kind: secret }]
      })
      assert.strictEqual(posted.message, "The token is [REDACTED], use it")
      yield* request("POST", `/api/chat/squad/${posted.id}/react`, {
        body: { actor: secret, reaction: secret }
      })
      yield* request("POST", "/api/chat/squad/read", { body: { actor: secret, messageId: posted.id } })
      const name = encodeURIComponent(secret)
      assert.deepStrictEqual((yield* request("GET", `/api/chat/squad/unread?actor=${name}`)).body, [])
      const heard = yield* request("GET", `/api/chat/squad?agent=${encodeURIComponent(`bot ${secret}`)}`)
      assert.strictEqual(heard.body.length, 1)
      assert.strictEqual((yield* request("GET", `/api/notifications?actor=${name}`)).body.length, 1)
      const found = yield* request("GET", "/api/chat/squad/search?q=token")
      assert.strictEqual(found.body[0].snippet, "The token is [REDACTED], use it")
      assert.notInclude(JSON.stringify((yield* request("GET", "/api/chat/squad")).body), secret)
      assert.strictEqual(yield* occurrences(directory, secret), 0)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is written by agents and admins, and read by all", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const { id } = yield* say("hi @ann")
      const [notification] = (yield* request("GET", "/api/notifications?actor=ann")).body
      const reads = [
        "/api/chat/squad",
        "/api/chat/squad/search?q=hi",
        "/api/chat/squad/unread?actor=ann",
        `/api/chat/squad/${id}/thread`,
        "/api/notifications?actor=ann"
      ]
      for (const path of reads) {
        assert.strictEqual((yield* request("GET", path, { as: null })).status, 401, path)
        for (const as of ["read-only", "agent", "admin"] as const) {
          assert.strictEqual((yield* request("GET", path, { as })).status, 200, path)
        }
      }
      const writes = [
        ["/api/chat/squad", { agent: "codex", message: "hi" }, 201],
        ["/api/chat/squad/read", { actor: "ann", messageId: id }, 200],
        [`/api/chat/squad/${id}/pin`, { pinned: true }, 200],
        [`/api/chat/squad/${id}/react`, { actor: "ann", reaction: "+1" }, 200],
        [`/api/notifications/${notification.id}/read`, undefined, 200]
      ] as const
      for (const [path, body, status] of writes) {
        const refused = yield* request("POST", path, { as: "read-only", body })
        assert.strictEqual(refused.status, 403, path)
        assert.strictEqual(refused.body.code, "PERMISSION_DENIED")
        for (const as of ["agent", "admin"] as const) {
          assert.strictEqual((yield* request("POST", path, { as, body })).status, status, path)
        }
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is still there after a restart, with its marks", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const before = yield* Effect.gen(function* () {
        const { request } = yield* World
        const { id } = yield* say("We take SQLite, @ann")
        yield* request("POST", `/api/chat/squad/${id}/pin`, { body: { decision: true } })
        yield* request("POST", `/api/chat/squad/${id}/react`, { body: { actor: "ann", reaction: "+1" } })
        yield* request("POST", "/api/chat/squad/read", { body: { actor: "ann", messageId: id } })
        return (yield* request("GET", "/api/chat/squad")).body
      }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        const { request } = yield* World
        assert.deepStrictEqual((yield* request("GET", "/api/chat/squad")).body, before)
        assert.deepStrictEqual((yield* request("GET", "/api/chat/squad/unread?actor=ann")).body, [])
        assert.strictEqual((yield* request("GET", "/api/notifications?actor=ann")).body.length, 1)
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})

describe("the list of messages", () => {
  it.scopedLive("has the newest ones, oldest first: 50, or as many as it is asked for", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (let index = 0; index < 52; index++) yield* say(`${index}`)
      const all = (yield* request("GET", "/api/chat/squad")).body
      assert.strictEqual(all.length, 50)
      assert.strictEqual(all[0].message, "2")
      const two = (yield* request("GET", "/api/chat/squad?limit=2")).body
      assert.deepStrictEqual(texts(two), ["50", "51"])
      assert.strictEqual((yield* request("GET", "/api/chat/squad?limit=500")).body.length, 52)
      for (const limit of ["x", "0", "501", "1.5", ""]) {
        assert.strictEqual((yield* request("GET", `/api/chat/squad?limit=${limit}`)).status, 400, limit)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("has what one agent said", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* say("one")
      yield* say("two", { agent: "gemini" })
      assert.deepStrictEqual(texts((yield* request("GET", "/api/chat/squad?agent=gemini")).body), ["two"])
      assert.deepStrictEqual((yield* request("GET", "/api/chat/squad?agent=nobody")).body, [])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("has what was said after a time, not at it", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const { request } = yield* World
      yield* clock.step("1 hour")
      const { createdAt } = yield* say("at one")
      yield* clock.step("1 millis")
      yield* say("a moment later")
      const since = (time: string) =>
        Effect.map(request("GET", `/api/chat/squad?since=${encodeURIComponent(time)}`), ({ body }) => body)
      assert.strictEqual(createdAt, "1970-01-01T01:00:00.000Z")
      assert.deepStrictEqual(texts(yield* since(createdAt)), ["a moment later"])
      assert.deepStrictEqual(texts(yield* since("1970-01-01T02:00:00+02:00")), ["at one", "a moment later"])
      assert.strictEqual((yield* request("GET", "/api/chat/squad?since=yesterday")).status, 400)
    }).pipe(Effect.provide(world().pipe(Layer.provide(clock.layer))))
  })
})

describe("a search", () => {
  it.scopedLive("finds text and authors, newest first, whatever the capitals", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* request("POST", "/api/tasks", { body: { title: "Docs" } })
      const first = yield* say("The Übergabe is done", { taskId: task.body.id })
      const second = yield* say("übergabe: again", { agent: "Claude" })
      const search = (q: string, more = "") =>
        Effect.map(
          request("GET", `/api/chat/squad/search?q=${encodeURIComponent(q)}${more}`),
          ({ body }) => body
        )
      assert.deepStrictEqual(yield* search("ÜBERGABE"), [
        { id: second.id, agent: "Claude", snippet: "übergabe: again", createdAt: second.createdAt },
        {
          id: first.id,
          agent: "codex",
          snippet: "The Übergabe is done",
          createdAt: first.createdAt,
          taskId: task.body.id
        }
      ])
      assert.deepStrictEqual(
        (yield* search("claude")).map(({ id }: { id: string }) => id),
        [second.id]
      )
      assert.strictEqual((yield* search("übergabe", "&limit=1")).length, 1)
      assert.deepStrictEqual(yield* search("nothing of the kind"), [])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("takes wildcards as they are written", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* say("100% of a_b!c\\d")
      yield* say("100 of aXb-c")
      for (const q of ["0%", "a_b", "b!c", "c\\d", "%"]) {
        const found = yield* request("GET", `/api/chat/squad/search?q=${encodeURIComponent(q)}`)
        assert.deepStrictEqual(
          found.body.map(({ snippet }: { snippet: string }) => snippet),
          ["100% of a_b!c\\d"],
          q
        )
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("needs a query, and has bounds", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (let index = 0; index < 21; index++) yield* say(`word ${index}`)
      assert.strictEqual((yield* request("GET", "/api/chat/squad/search?q=word")).body.length, 20)
      for (const query of ["", "q=", "q=%20", `q=${"x".repeat(101)}`, "q=x&limit=0", "q=x&limit=101"]) {
        assert.strictEqual((yield* request("GET", `/api/chat/squad/search?${query}`)).status, 400, query)
      }
    }).pipe(Effect.provide(shared))
  )
})

describe("a thread", () => {
  it.scopedLive("is the same from every message in it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const root = yield* say("root")
      const reply = yield* say("reply", { replyToId: root.id })
      yield* say("elsewhere")
      const nested = yield* say("nested", { replyToId: reply.id })
      for (const { id } of [root, reply, nested]) {
        const thread = yield* request("GET", `/api/chat/squad/${id}/thread`)
        assert.deepStrictEqual(texts(thread.body), ["root", "reply", "nested"])
      }
      const unknown = yield* request("GET", "/api/chat/squad/msg_none/thread")
      assert.strictEqual(unknown.status, 404)
      assert.strictEqual(unknown.body.code, "NOT_FOUND")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("of more than a thousand messages is its root and the newest of the others", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const storage = yield* Storage
      const { id } = yield* say("root")
      yield* storage.write(
        Effect.forEach(
          Array.from({ length: 1_001 }, (_, index) => `${index}`),
          (message) => SquadPost.post({ agent: "codex", message, replyToId: id }, system)
        )
      )
      const { body } = yield* request("GET", `/api/chat/squad/${id}/thread`)
      assert.strictEqual(body.length, 1_000)
      assert.deepStrictEqual(texts(body.slice(0, 2)), ["root", "2"])
      assert.strictEqual(body.at(-1).message, "1000")
    }).pipe(Effect.provide(shared))
  )
})
