import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, FiberId, Layer, TestClock } from "effect"
import { revocationEffects } from "../../src/identity/Identity.ts"
import { SigningKeys } from "../../src/identity/keys/SigningKeys.ts"
import { Principals } from "../../src/identity/principals/Principals.ts"
import { Revocations } from "../../src/identity/revocations/Revocations.ts"
import { ApiTokens } from "../../src/identity/tokens/ApiTokens.ts"
import { system } from "../../src/kernel/Actor.ts"
import { Workers } from "../../src/kernel/Worker.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { listen } from "../support/Socket.ts"
import { storageInMemory } from "../support/TestStorage.ts"
import { World, world } from "../support/World.ts"

const aToken = Effect.flatMap(ApiTokens, (tokens) =>
  tokens.create({ name: "CI", role: "agent", workspaceId: "default" }, system)
)

/** The store with those who may come in, and nothing else. */
const alone = ApiTokens.layer.pipe(
  Layer.provideMerge(Principals.layer),
  Layer.provide([Revocations.layer(revocationEffects), SigningKeys.layer(undefined), Workers.layer]),
  Layer.provideMerge(storageInMemory),
  Layer.provide(NodeContext.layer)
)

/** Whatever was begun has got its turns of the event loop. */
const settled = Effect.repeatN(
  Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
  20
)

const reads = (token: string) =>
  Effect.flatMap(World, ({ request }) =>
    Effect.map(
      request("GET", "/api/tasks", { as: null, headers: { "x-api-key": token } }),
      ({ status }) => status
    )
  )

describe("a revocation", () => {
  it.scopedLive("counts when it is committed, although whoever asked for it has gone away by then", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const tokens = yield* ApiTokens
      const { id, token } = yield* aToken
      assert.strictEqual(yield* reads(token), 200)
      const revoking = yield* Effect.fork(tokens.revoke(id, system))
      yield* storage.onMove(["api-token"], () => revoking.unsafeInterruptAsFork(FiberId.none))
      yield* Fiber.await(revoking)
      const [stored] = yield* tokens.list()
      assert.isNotNull(stored?.revokedAt ?? null)
      assert.strictEqual(yield* reads(token), 401)
    }).pipe(Effect.provide(world()))
  )
})

describe("what is known of those who come in", () => {
  it.scopedLive("ends with the moment at which it expires", () =>
    Effect.gen(function* () {
      const principals = yield* Principals
      const { token } = yield* Effect.flatMap(ApiTokens, (tokens) =>
        tokens.create({ name: "CI", role: "agent", workspaceId: "default", expiresAt: 4e12 }, system)
      )
      assert.strictEqual(principals.find("token", token, 4e12 - 1)?.actor.name, "CI")
      assert.isUndefined(principals.find("token", token, 4e12))
      assert.isUndefined(principals.find("device", token, 0))
    }).pipe(Effect.provide(world()))
  )

  it.scoped("is told when somebody's time is up, to the second and once for each", () =>
    Effect.gen(function* () {
      const principals = yield* Principals
      const tokens = yield* ApiTokens
      const start = yield* TestClock.currentTimeMillis
      const expiring = (seconds: number) =>
        tokens.create(
          { name: "CI", role: "agent", workspaceId: "default", expiresAt: start + seconds * 1_000 },
          system
        )
      yield* expiring(20)
      yield* expiring(10)
      yield* tokens.create({ name: "for ever", role: "agent", workspaceId: "default" }, system)
      let told = 0
      principals.onChange(() => {
        told += 1
      })
      /** Time passes, and the store answers meanwhile. */
      const toldAfter = (seconds: number) =>
        TestClock.adjust(Duration.seconds(seconds)).pipe(
          Effect.zipRight(settled),
          Effect.map(() => told)
        )
      assert.strictEqual(yield* toldAfter(9), 0)
      assert.strictEqual(yield* toldAfter(1), 1)
      assert.strictEqual(yield* toldAfter(9), 1)
      yield* expiring(25)
      assert.strictEqual(told, 2)
      assert.strictEqual(yield* toldAfter(1), 3)
      assert.strictEqual(yield* toldAfter(5), 4)
      assert.strictEqual(yield* toldAfter(60), 4)
    }).pipe(Effect.provide(alone))
  )

  it.scopedLive(
    "ends the WebSocket of a token that expires, at once and not with the next ping",
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* World
        const tokens = yield* ApiTokens
        const draft = { name: "CI", role: "agent" as const, workspaceId: "default" }
        const expiresAt = (yield* Clock.currentTimeMillis) + 3_000
        const { token } = yield* tokens.create({ ...draft, expiresAt }, system)
        const listener = yield* listen(baseUrl, { headers: { "x-api-key": token } })
        assert.strictEqual((yield* listener.closed).code, 4401)
      }).pipe(Effect.provide(world())),
    20_000
  )

  it.scopedLive("does not grow with what has expired", () =>
    Effect.gen(function* () {
      const principals = yield* Principals
      const storage = yield* Storage
      const { token } = yield* aToken
      yield* storage.write(run(sql`UPDATE api_tokens SET expires_at = created_at`))
      yield* principals.refresh
      assert.isUndefined(principals.find("token", token, 0))
    }).pipe(Effect.provide(world()))
  )
})
