import { rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue, Redacted } from "effect"
import { target } from "../../support/Target.ts"
import { temporaryDirectory, world, worldIn } from "../../support/World.ts"
import { healthOfTeam, putTeam, sendTo, testTeam } from "./Teams.ts"

describe("the health of a team chat", () => {
  it.scopedLive("comes from its configuration", () =>
    Effect.gen(function* () {
      yield* putTeam()
      const bare = {
        status: "degraded",
        reasonCode: "webhook_missing",
        canSend: false,
        canReceiveReplies: true
      } as const
      assert.deepInclude(yield* healthOfTeam(), bare)
      yield* putTeam({
        webhookUrl: "http://127.0.0.1:9/in?sig=hunter2",
        credential: Redacted.make("hunter3")
      })
      const well = yield* healthOfTeam()
      assert.deepInclude(well, { kind: "teamchat", status: "healthy", reasonCode: "ok" })
      assert.deepInclude(well, { canSend: true, canReceiveReplies: true })
      assert.deepStrictEqual(well.configured, { http: "http://127.0.0.1:9/in", webSocket: null })
      assert.isFalse("compatibility" in well || "runtime" in well)
      assert.notInclude(JSON.stringify(well), "hunter")
      assert.deepStrictEqual(yield* testTeam(), well)
      yield* putTeam({ credential: Redacted.make("env:NOBODY_LISTED_IT") })
      const unset = { status: "unhealthy", reasonCode: "credential_missing", canSend: false } as const
      const refusing = yield* healthOfTeam()
      assert.deepInclude(refusing, unset)
      assert.deepStrictEqual(
        refusing.checks.map(({ id, status }) => [id, status]),
        [
          ["webhook", "verified"],
          ["credential", "failed"]
        ]
      )
      yield* putTeam({ enabled: false, credential: null })
      const off = {
        status: "disabled",
        reasonCode: "adapter_disabled",
        canSend: false,
        canReceiveReplies: false
      } as const
      assert.deepInclude(yield* healthOfTeam(), off)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("tells in a test that the webhook's name leads nowhere, and sends nothing", () =>
    Effect.gen(function* () {
      yield* putTeam({ webhookUrl: "https://nowhere.invalid/hook" })
      assert.deepInclude(yield* healthOfTeam(), { status: "healthy" })
      assert.deepInclude(yield* testTeam(), { status: "unhealthy", reasonCode: "webhook_unreachable" })
      const to = yield* target()
      yield* putTeam({ webhookUrl: to.url })
      assert.deepInclude(yield* testTeam(), { status: "healthy" })
      assert.strictEqual(yield* Queue.size(to.arrivals), 0)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says that the secrets can't be read when the key of the vault is lost", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const to = yield* target()
      yield* putTeam({ webhookUrl: to.url, credential: Redacted.make("hunter3") }).pipe(
        Effect.provide(worldIn(directory))
      )
      rmSync(join(directory, "vault-key.json"))
      yield* Effect.gen(function* () {
        const lost = { status: "unhealthy", reasonCode: "webhook_unreadable", canSend: false } as const
        assert.deepInclude(yield* healthOfTeam(), lost)
        assert.deepInclude(yield* sendTo("msg_1"), { status: "blocked", reasonCode: "webhook_unreadable" })
        yield* putTeam({ webhookUrl: to.url })
        assert.deepInclude(yield* healthOfTeam(), { reasonCode: "credential_unreadable" })
        yield* putTeam({ credential: Redacted.make("hunter4") })
        assert.deepInclude(yield* sendTo("msg_1"), { status: "success" })
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})
