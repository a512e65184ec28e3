import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { Adapters } from "../../../src/conversations/adapters/Adapters.ts"
import * as DeliveryRepo from "../../../src/conversations/deliveries/DeliveryRepo.ts"
import * as ThreadRepo from "../../../src/conversations/deliveries/ThreadRepo.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { ask, createTask } from "../../support/Board.ts"
import { listen } from "../../support/Socket.ts"
import { target } from "../../support/Target.ts"
import { type RequestOptions, temporaryDirectory, World, world, worldIn } from "../../support/World.ts"
import { admin, putTeam, sendTo } from "../teamchat/Teams.ts"

/** A message of the squad chat to reply to. */
const said = ask("POST", "/api/chat/squad", { body: { agent: "codex", message: "Shall I deploy?" } })

const replyTo = (squadMessageId: string, more: object = {}) => ({
  externalThreadId: "thread-1",
  externalReplyId: "reply-1",
  actor: "U1",
  displayName: "Ann Example",
  message: "Yes, please",
  ...more,
  target: { kind: "squad", squadMessageId, ...("target" in more ? (more.target as object) : {}) }
})

const reply = (body: unknown, adapter = "team", options: RequestOptions = {}) =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `/api/integrations/communication/adapters/${adapter}/replies`, { body, ...options })
  )

const thread = (id: string) => ask("GET", `/api/chat/squad/${id}/thread`)

const inbound = Effect.flatMap(Storage, ({ read }) =>
  Effect.map(read(DeliveryRepo.newest({ direction: "inbound" })), ({ items }) => items)
)

/** A token that may do nothing but what it is told. */
const tokenWith = (scopes: ReadonlyArray<string>) =>
  Effect.map(
    ask("POST", "/api/auth/tokens", { as: "admin", body: { name: "A bridge", role: "admin", scopes } }),
    ({ token }): RequestOptions => ({ as: null, headers: { "x-api-key": token } })
  )

describe("a reply from elsewhere", () => {
  it.scopedLive("stands in the squad chat under its message, and says where it comes from", () =>
    Effect.gen(function* () {
      yield* putTeam({ channelId: "channel-1" })
      const message = yield* said
      const task = yield* createTask()
      const { body, status } = yield* reply(replyTo(message.id, { target: { taskId: task.id } }))
      assert.strictEqual(status, 201, JSON.stringify(body))
      assert.deepInclude(body, {
        agent: "Ann Example",
        message: "Yes, please",
        system: false,
        replyToId: message.id,
        taskId: task.id,
        createdBy: "codex",
        external: {
          provider: "teamchat",
          eventId: "reply-1",
          threadId: "thread-1",
          actor: "U1",
          channelId: "channel-1"
        }
      })
      assert.deepStrictEqual(
        (yield* thread(message.id)).map(({ id }: { id: string }) => id),
        [message.id, body.id]
      )
      const { read } = yield* Storage
      const { items } = yield* read(ThreadRepo.newest({ adapterId: "team" }))
      assert.deepInclude(items[0], {
        community: "teamchat:team",
        channelId: "channel-1",
        eventId: "reply-1",
        rootEventId: "thread-1",
        direction: "inbound",
        squadMessageId: body.id,
        rootSquadMessageId: message.id
      })
      assert.deepInclude((yield* inbound)[0], {
        status: "success",
        squadMessageId: body.id,
        eventId: "reply-1",
        actor: "U1"
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("reaches everybody who listens, once", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      yield* putTeam()
      const message = yield* said
      const listener = yield* listen(baseUrl)
      const { body } = yield* reply(replyTo(message.id))
      yield* reply(replyTo(message.id))
      const isMessage = ({ type }: { readonly type: string }) => type === "squad:message"
      assert.deepStrictEqual((yield* listener.until(isMessage)).message, body)
      const last = yield* said
      assert.strictEqual((yield* listener.until(isMessage)).message.id, last.id)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("counts once for its adapter and its id, after a restart too", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const [message, first] = yield* Effect.gen(function* () {
        yield* putTeam()
        yield* putTeam({}, "other")
        const message = yield* said
        const first = yield* reply(replyTo(message.id))
        const again = yield* reply(replyTo(message.id, { message: "No!", displayName: "Eve" }))
        assert.deepStrictEqual([first.status, again.status], [201, 200])
        assert.deepStrictEqual(again.body, first.body)
        // Another adapter is another place: its ids are its own.
        const elsewhere = yield* reply(replyTo(message.id), "other")
        assert.strictEqual(elsewhere.status, 201)
        assert.notStrictEqual(elsewhere.body.id, first.body.id)
        return [message, first] as const
      }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        const later = yield* reply(replyTo(message.id))
        assert.strictEqual(later.status, 200)
        assert.deepStrictEqual(later.body, first.body)
        assert.lengthOf(yield* thread(message.id), 3)
        const replayed = (yield* inbound).filter(({ status }) => status === "replayed")
        assert.lengthOf(replayed, 1)
        assert.deepInclude(replayed[0], { squadMessageId: first.body.id, times: 2 })
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )

  it.scopedLive("that comes twice at once becomes one message", () =>
    Effect.gen(function* () {
      yield* putTeam()
      const message = yield* said
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => reply(replyTo(message.id))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status).sort(),
        [200, 200, 200, 200, 200, 200, 200, 201]
      )
      assert.strictEqual(new Set(answers.map(({ body }) => body.id)).size, 1)
      assert.lengthOf(yield* thread(message.id), 2)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("loses what could run and what is secret, in its text and its names", () =>
    Effect.gen(function* () {
      yield* putTeam()
      const { id } = yield* said
      const secret = `ghp_${"a1B2".repeat(9)}`
      const { body } = yield* reply(
        replyTo(id, {
          actor: `U1 ${secret}`,
          displayName: `Ann <script>alert(1)</script>${secret}`,
          message: `<b>Hi</b>\u0007<script>alert(1)</script>\n\tthe token is ${secret} <img src=x onerror=alert(1)>`
        })
      )
      const all = JSON.stringify([body, yield* thread(id), yield* inbound])
      assert.notInclude(all, secret)
      assert.notMatch(all, /<script|\\u0007|onerror=/)
      assert.match(body.message, /^<b>Hi<\/b> \n\tthe token is /)
      assert.match(body.agent, /^Ann /)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("comes in through an adapter of either kind, as long as it is enabled", () =>
    Effect.gen(function* () {
      const { disconnect, put } = yield* Adapters
      const relay = {
        kind: "relay",
        displayName: "Relay",
        relayHttpUrl: "https://relay.example.com"
      } as const
      yield* put("relay", { ...relay, enabled: true }, admin)
      const { id } = yield* said
      assert.strictEqual((yield* reply(replyTo(id), "relay")).status, 201)
      yield* disconnect("relay", admin)
      const off = yield* reply(replyTo(id, { externalReplyId: "reply-2" }), "relay")
      assert.strictEqual(off.status, 409)
      assert.deepInclude(off.body, { code: "CONFLICT", details: { adapterId: "relay" } })
      assert.lengthOf(yield* thread(id), 2)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("to an approval needs the right to decide, and decides nothing", () =>
    Effect.gen(function* () {
      yield* putTeam()
      const { id } = yield* said
      const body = (externalReplyId: string) =>
        replyTo(id, { externalReplyId, target: { approvalId: "approval_1" } })
      const commenter = yield* tokenWith(["comment:write"])
      const refused = yield* reply(body("reply-1"), "team", commenter)
      assert.strictEqual(refused.status, 403)
      assert.deepInclude(refused.body, { code: "PERMISSION_DENIED" })
      assert.lengthOf(yield* thread(id), 1)
      assert.lengthOf(yield* inbound, 0)
      assert.strictEqual((yield* reply(replyTo(id), "team", commenter)).status, 201)
      for (const permission of ["workflow:execute", "task:write", "admin:manage"]) {
        const may = yield* tokenWith(["comment:write", permission])
        assert.strictEqual((yield* reply(body(permission), "team", may)).status, 201, permission)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("tells later sends in its thread where they belong", () =>
    Effect.gen(function* () {
      const to = yield* target()
      yield* putTeam({ webhookUrl: to.url })
      const message = yield* said
      yield* sendTo(message.id)
      assert.notProperty((yield* Queue.take(to.arrivals)).body, "threadId")
      const { body } = yield* reply(replyTo(message.id))
      for (const [index, parent] of [message.id, body.id].entries()) {
        yield* sendTo(`msg_next_${index}`, { replyToSquadMessageId: parent })
        assert.strictEqual((yield* Queue.take(to.arrivals)).body.threadId, "thread-1")
      }
      yield* sendTo("msg_else", { replyToSquadMessageId: (yield* said).id })
      assert.notProperty((yield* Queue.take(to.arrivals)).body, "threadId")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused where its parts are wrong, and leaves nothing behind", () =>
    Effect.gen(function* () {
      yield* putTeam()
      const { id } = yield* said
      const good = replyTo(id)
      const without = (field: string) =>
        Object.fromEntries(Object.entries(good).filter(([name]) => name !== field))
      const wrong: ReadonlyArray<readonly [unknown, string]> = [
        ...Object.keys(good).map((field) => [without(field), field] as const),
        ...Object.keys(good).map((field) => [{ ...good, [field]: 1 }, field] as const),
        [{ ...good, message: " \n" }, "message"],
        [{ ...good, message: "<script>alert(1)</script>" }, "message"],
        [{ ...good, message: "x".repeat(10_001) }, "message"],
        [{ ...good, externalReplyId: "x".repeat(201) }, "externalReplyId"],
        [{ ...good, displayName: "\u0007" }, "displayName"],
        [{ ...good, target: { kind: "task", squadMessageId: id } }, "target.kind"],
        [{ ...good, target: { kind: "squad" } }, "target.squadMessageId"]
      ]
      for (const [body, field] of wrong) {
        const { body: answer, status } = yield* reply(body)
        assert.strictEqual(status, 400, JSON.stringify(body))
        const paths = answer.details.issues.map(({ path }: { path: string }) => path)
        assert.include(paths, field)
      }
      const missing: ReadonlyArray<readonly [unknown, string]> = [
        [replyTo("msg_nobody"), "team"],
        [replyTo(id, { target: { taskId: "task_nobody" } }), "team"],
        [good, "nobody"]
      ]
      for (const [body, adapter] of missing) {
        const answer = yield* reply(body, adapter)
        assert.strictEqual(answer.status, 404)
        assert.strictEqual(answer.body.code, "NOT_FOUND")
      }
      assert.strictEqual((yield* reply(good, "team", { as: "read-only" })).status, 403)
      assert.strictEqual((yield* reply(good, "not an id")).status, 400)
      assert.lengthOf(yield* thread(id), 1)
      assert.lengthOf(yield* inbound, 0)
    }).pipe(Effect.provide(world()))
  )
})
