import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, FiberId } from "effect"
import { Principals } from "../../src/identity/Principals.ts"
import { ApiTokens } from "../../src/identity/tokens/ApiTokens.ts"
import { system } from "../../src/kernel/Actor.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { World, world } from "../support/World.ts"

const aToken = Effect.flatMap(ApiTokens, (tokens) =>
  tokens.create({ name: "CI", role: "agent", workspaceId: "default" }, system)
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
      yield* storage.onCommit(() => revoking.unsafeInterruptAsFork(FiberId.none))
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
