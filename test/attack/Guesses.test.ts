import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../support/Board.ts"
import { rawSender } from "../support/RawHttp.ts"
import { World, world } from "../support/World.ts"

const workspace = "/api/identity/workspaces/default"

/** Sends a body from one of this machine's addresses. */
const sender = Effect.gen(function* () {
  const { baseUrl } = yield* World
  const send = yield* rawSender(baseUrl)
  return (from: string, path: string, body: object) =>
    Effect.map(
      send({
        method: "POST",
        path,
        from,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body)
      }),
      ({ status }) => status
    )
})

const anInvitation = ask("POST", `${workspace}/invitations`, {
  as: "admin",
  body: { email: "ann@example.com", role: "agent" }
})

const aPairing = ask("POST", `${workspace}/device-pairing-codes`, {
  as: "admin",
  body: { deviceName: "Phone", clientMode: "mobile", role: "agent" }
})

describe("wrong guesses from one address", () => {
  it.scopedLive("never keep another address out, at any door", () =>
    Effect.gen(function* () {
      const send = yield* sender
      const { token } = yield* anInvitation
      const { link } = yield* aPairing
      const doors = [
        {
          path: "/api/auth/invitations/accept",
          wrong: { token: "muster_invite_x", displayName: "Eve", email: "eve@example.com" },
          refused: 404,
          right: { token, displayName: "Ann", email: "ann@example.com" }
        },
        {
          path: "/api/auth/device-pairing/exchange",
          wrong: { code: "GUESS", payload: {} },
          refused: 401,
          right: { payload: link }
        }
      ]
      for (const { path, refused, right, wrong } of doors) {
        for (let times = 0; times < 5; times += 1) {
          assert.strictEqual(yield* send("127.0.0.2", path, wrong), refused, path)
        }
        assert.strictEqual(yield* send("127.0.0.2", path, right), 429, path)
        assert.strictEqual(yield* send("127.0.0.3", path, wrong), refused, path)
        assert.strictEqual(yield* send("127.0.0.3", path, right), 201, path)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are bounded all the same when they come from many: ten for a pairing code", () =>
    Effect.gen(function* () {
      const send = yield* sender
      const { link } = yield* aPairing
      const { code: _, ...payload } = JSON.parse(
        Buffer.from(new URL(link).hash.slice(1), "base64url").toString()
      )
      const path = "/api/auth/device-pairing/exchange"
      const statuses = yield* Effect.forEach(Array.from({ length: 12 }), (_, index) =>
        send(`127.0.0.${index + 2}`, path, { code: `GUESS-${index}`, payload })
      )
      assert.deepStrictEqual(statuses, [...Array(10).fill(401), 429, 429])
    }).pipe(Effect.provide(world()))
  )
})
