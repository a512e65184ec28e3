import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Queue, Redacted } from "effect"
import type { Delivery } from "../../../src/conversations/deliveries/Delivery.ts"
import * as DeliveryRepo from "../../../src/conversations/deliveries/DeliveryRepo.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { target } from "../../support/Target.ts"
import { temporaryDirectory, world, worldIn } from "../../support/World.ts"
import { putTeam, sendTo } from "./Teams.ts"

const secrets = new Map([
  ["TEAM_TOKEN", Redacted.make("from-the-environment")],
  ["BROKEN_TOKEN", Redacted.make("two words")]
])

/** The records of what was sent, newest first. */
const deliveries: Effect.Effect<ReadonlyArray<Delivery>, never, Storage> = Effect.flatMap(
  Storage,
  ({ read }) => Effect.map(read(DeliveryRepo.newest({ direction: "outbound" })), ({ items }) => items)
)

describe("a send to a team chat", () => {
  it.scopedLive("posts the message to the webhook with the credential, and says that it arrived", () =>
    Effect.gen(function* () {
      const to = yield* target()
      yield* putTeam({
        webhookUrl: `${to.url}/hook?sig=hunter2`,
        credential: Redacted.make("hunter3"),
        channelId: "channel-1"
      })
      const sent = yield* sendTo("msg_1")
      assert.deepStrictEqual(sent, { deliveryId: sent.deliveryId, status: "success", event: null })
      const { body, headers, path } = yield* Queue.take(to.arrivals)
      assert.strictEqual(path, "/hook?sig=hunter2")
      assert.strictEqual(headers.authorization, "Bearer hunter3")
      assert.strictEqual(headers["x-muster-delivery"], sent.deliveryId)
      assert.deepStrictEqual(body, {
        text: "The build is green",
        actor: "codex",
        squadMessageId: "msg_1",
        channelId: "channel-1"
      })
      const [delivery] = yield* deliveries
      assert.deepInclude(delivery, {
        id: sent.deliveryId,
        adapterId: "team",
        status: "success",
        reasonCode: null,
        squadMessageId: "msg_1",
        channelId: "channel-1",
        actor: "codex",
        times: 1
      })
      assert.notInclude(JSON.stringify([sent, delivery]), "hunter")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("takes secrets out of what it posts", () =>
    Effect.gen(function* () {
      const to = yield* target()
      yield* putTeam({ webhookUrl: to.url })
      const secret = `ghp_${"a1B2".repeat(9)}`
      yield* sendTo("msg_1", { message: `Rotate ${secret}`, actor: `codex ${secret}` })
      const { headers, text } = yield* Queue.take(to.arrivals)
      assert.notInclude(text, secret)
      assert.include(text, "Rotate ")
      assert.isUndefined(headers.authorization)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("posts a message once, however often and however fast it is sent", () =>
    Effect.gen(function* () {
      let release = () => {}
      const to = yield* target((response) => {
        release = () => response.end()
      })
      yield* putTeam({ webhookUrl: to.url })
      const first = yield* Effect.fork(sendTo("msg_1"))
      yield* Queue.take(to.arrivals)
      // While the first one is under way the second one finds its record, and makes no call of its own.
      const during = yield* sendTo("msg_1", { message: "Again" })
      assert.strictEqual(during.status, "queued")
      release()
      const sent = yield* Fiber.join(first)
      const after = yield* sendTo("msg_1", { message: "And again" })
      assert.deepStrictEqual(after, sent)
      assert.strictEqual(during.deliveryId, sent.deliveryId)
      assert.strictEqual(yield* Queue.size(to.arrivals), 0)
      assert.lengthOf(yield* deliveries, 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("fails when the webhook does not take it, says why, and can be sent again", () =>
    Effect.gen(function* () {
      let status = 200
      const to = yield* target((response) => {
        response.writeHead(status, { location: "http://127.0.0.1:9/" }).end()
      })
      yield* putTeam({ webhookUrl: to.url })
      const reasons: ReadonlyArray<readonly [number, string]> = [
        [302, "redirect_refused"],
        [400, "webhook_refused"],
        [401, "authentication_rejected"],
        [404, "webhook_gone"],
        [429, "rate_limited"],
        [500, "webhook_error"],
        [503, "webhook_unavailable"]
      ]
      for (const [code, reasonCode] of reasons) {
        status = code
        const sent = yield* sendTo(`msg_${code}`)
        assert.deepInclude(sent, { status: "failed", reasonCode, event: null })
        assert.isNotEmpty(sent.message)
        const [delivery] = yield* deliveries
        assert.deepInclude(delivery, { status: "failed", reasonCode, times: 1 })
      }
      status = 204
      const again = yield* sendTo("msg_503")
      assert.strictEqual(again.status, "success")
      assert.isUndefined(again.reasonCode)
      assert.lengthOf(yield* deliveries, reasons.length)
      const [delivery] = yield* deliveries
      assert.deepInclude(delivery, { id: again.deliveryId, status: "success", reasonCode: null, times: 2 })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("fails when nobody listens, and rests after several failures in a row", () =>
    Effect.gen(function* () {
      yield* putTeam({ webhookUrl: "http://127.0.0.1:9/" })
      for (let attempt = 0; attempt < 5; attempt++) {
        assert.deepInclude(yield* sendTo("msg_1"), { status: "failed", reasonCode: "webhook_unreachable" })
      }
      assert.deepInclude(yield* sendTo("msg_1"), { status: "failed", reasonCode: "circuit_open" })
      assert.deepInclude((yield* deliveries)[0], { times: 6 })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("sends nothing while the adapter is off, lacks its webhook, or can't be read", () =>
    Effect.gen(function* () {
      const to = yield* target()
      yield* putTeam({ webhookUrl: to.url, enabled: false })
      assert.deepInclude(yield* sendTo("msg_1"), { status: "skipped", reasonCode: "adapter_disabled" })
      yield* putTeam({ webhookUrl: null })
      assert.deepInclude(yield* sendTo("msg_1"), { status: "skipped", reasonCode: "webhook_missing" })
      yield* putTeam({ webhookUrl: to.url, credential: Redacted.make("env:NOBODY_LISTED_IT") })
      assert.deepInclude(yield* sendTo("msg_1"), { status: "blocked", reasonCode: "credential_missing" })
      yield* putTeam({ credential: Redacted.make("env:BROKEN_TOKEN") })
      assert.deepInclude(yield* sendTo("msg_1"), { status: "blocked", reasonCode: "credential_invalid" })
      assert.strictEqual(yield* Queue.size(to.arrivals), 0)
      // The same message goes out when the adapter can.
      yield* putTeam({ credential: Redacted.make("env:TEAM_TOKEN") })
      assert.deepInclude(yield* sendTo("msg_1"), { status: "success" })
      const { headers } = yield* Queue.take(to.arrivals)
      assert.strictEqual(headers.authorization, "Bearer from-the-environment")
      assert.lengthOf(yield* deliveries, 1)
    }).pipe(Effect.provide(world({ secrets })))
  )

  it.scopedLive("of which the caller did not wait for the end has an unknown outcome", () =>
    Effect.gen(function* () {
      const to = yield* target(() => {})
      yield* putTeam({ webhookUrl: to.url })
      const sending = yield* Effect.fork(sendTo("msg_1"))
      yield* Queue.take(to.arrivals)
      yield* Fiber.interrupt(sending)
      assert.deepInclude((yield* deliveries)[0], { status: "delivery_unknown", reasonCode: "interrupted" })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("that a crash cut off is unknown at the next start, and can be sent again", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const to = yield* target()
      // What a server leaves behind that dies after it wrote the record: nothing else is known of the call.
      yield* Effect.gen(function* () {
        const { write } = yield* Storage
        yield* putTeam({ webhookUrl: to.url, credential: Redacted.make("hunter3") })
        yield* write(
          DeliveryRepo.insert({
            adapterId: "team",
            direction: "outbound",
            status: "queued",
            squadMessageId: "msg_1"
          })
        )
      }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        assert.deepInclude((yield* deliveries)[0], { status: "delivery_unknown", reasonCode: "interrupted" })
        assert.deepInclude(yield* sendTo("msg_1"), { status: "success" })
        const { headers } = yield* Queue.take(to.arrivals)
        assert.strictEqual(headers.authorization, "Bearer hunter3")
        assert.deepInclude((yield* deliveries)[0], { status: "success", times: 2 })
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})
