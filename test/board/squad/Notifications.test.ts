import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World } from "../../support/World.ts"

const shared = sharedWorld()

const post = (body: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(World, ({ request }) =>
    Effect.map(request("POST", "/api/chat/squad", { body: { agent: "codex", ...body } }), ({ body }) => body)
  )

const notificationsOf = (query: string) =>
  Effect.flatMap(World, ({ request }) =>
    Effect.map(request("GET", `/api/notifications?actor=${query}`), ({ body }) => body)
  )

describe("a notification", () => {
  it.scopedLive("tells who was mentioned, by whom, and links to the message", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const task = yield* request("POST", "/api/tasks", { body: { title: "Docs" } })
      const message = yield* post({ message: "@Ann please look", taskId: task.body.id })
      assert.deepStrictEqual(message.mentions, [{ target: "Ann", kind: "actor" }])
      const [notification, ...others] = yield* notificationsOf("ann")
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(yield* notificationsOf("ANN"), [notification])
      assert.match(notification.id, /^ntf_/)
      const { id, ...content } = notification
      assert.deepStrictEqual(content, {
        actor: "Ann",
        kind: "mention",
        messageId: message.id,
        link: `/api/v1/chat/squad/${message.id}/thread`,
        agent: "codex",
        taskId: task.body.id,
        read: false,
        createdAt: message.createdAt
      })
      assert.deepStrictEqual((yield* request("GET", content.link)).body, [message])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("comes once for each name, whether given or in the text, and not to the author", () =>
    Effect.gen(function* () {
      yield* post({
        message: "@dan @DAN and @bob, says @Codex; mail eve@example.org",
        mentions: [
          { target: "dan", kind: "user" },
          { target: "claude", kind: "agent" }
        ]
      })
      for (const [actor, count] of [
        ["dan", 1],
        ["bob", 1],
        ["claude", 1],
        ["codex", 0],
        ["eve", 0],
        ["example.org", 0]
      ] as const) {
        assert.strictEqual((yield* notificationsOf(actor)).length, count, actor)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("stays in the list when it is read, and leaves the unread ones", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const first = yield* post({ message: "@zoe one" })
      const second = yield* post({ message: "@zoe two" })
      const all = yield* notificationsOf("zoe")
      assert.deepStrictEqual(
        all.map(({ messageId }: { messageId: string }) => messageId),
        [second.id, first.id]
      )
      const read = { ...all[1], read: true }
      for (const time of ["once", "again"]) {
        const answer = yield* request("POST", `/api/notifications/${all[1].id}/read`)
        assert.strictEqual(answer.status, 200, time)
        assert.deepStrictEqual(answer.body, read)
      }
      assert.deepStrictEqual(yield* notificationsOf("zoe"), [all[0], read])
      assert.deepStrictEqual(yield* notificationsOf("zoe&unread=true"), [all[0]])
      assert.deepStrictEqual(yield* notificationsOf("zoe&limit=1"), [all[0]])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is asked for by an actor and named by its id", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const query of [
        "",
        "?actor=",
        "?actor=ann&limit=0",
        "?actor=ann&limit=501",
        "?actor=ann&unread=x"
      ]) {
        assert.strictEqual((yield* request("GET", `/api/notifications${query}`)).status, 400, query)
      }
      const unknown = yield* request("POST", "/api/notifications/ntf_none/read")
      assert.strictEqual(unknown.status, 404)
      assert.deepStrictEqual(unknown.body, {
        error: "Notification ntf_none does not exist",
        code: "NOT_FOUND",
        details: { notificationId: "ntf_none" }
      })
    }).pipe(Effect.provide(shared))
  )
})
