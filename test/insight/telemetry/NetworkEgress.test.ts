import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import { hostKeyOf, networkEgress } from "../../../src/insight/telemetry/NetworkEgress.ts"

const digest = `sha256:${"0a".repeat(32)}`
const attempt = {
  taskId: "task_1",
  runKey: "run_1",
  gatewayKey: "gateway-1",
  policyDigest: digest,
  host: "api.example.com",
  protocol: "https" as const,
  port: 443,
  decision: "deny" as const,
  reason: "host-not-allowed"
}

/** Builds an event from an attempt that somebody who does not heed the types put together. */
const build = (careless: object) => Effect.either(networkEgress({ ...attempt, ...careless }))

describe("a network.egress event", () => {
  it.effect("carries keys, a hashed host and the decision, and nothing else", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* networkEgress(attempt), {
        type: "network.egress",
        taskId: "task_1",
        runKey: "run_1",
        gatewayKey: "gateway-1",
        policyDigest: digest,
        hostKey: hostKeyOf("api.example.com"),
        protocol: "https",
        port: 443,
        decision: "deny",
        reason: "host-not-allowed"
      })
    })
  )

  it.effect("names an approval only when one applied", () =>
    Effect.gen(function* () {
      assert.notProperty(yield* networkEgress(attempt), "approvalId")
      const approved = yield* networkEgress({ ...attempt, decision: "allow", approvalId: "approval_1" })
      assert.strictEqual(approved.approvalId, "approval_1")
    })
  )

  it("knows a host by one key, however it was written", () => {
    assert.match(hostKeyOf("api.example.com"), /^sha256:[0-9a-f]{64}$/)
    assert.strictEqual(hostKeyOf("API.Example.com."), hostKeyOf("api.example.com"))
    assert.notStrictEqual(hostKeyOf("api.example.com"), hostKeyOf("example.com"))
  })

  it.effect("takes no URL, query, header or body", () =>
    Effect.gen(function* () {
      for (const careless of [
        { url: "https://api.example.com/v1?key=1" },
        { query: "key=1" },
        { headers: { authorization: "Bearer x" } },
        { body: "payload" },
        { path: "/v1" },
        { method: "POST" }
      ]) {
        assert.isTrue(Either.isLeft(yield* build(careless)), Object.keys(careless).join())
      }
    })
  )

  it.effect("takes no URL in place of a key, a reason or a protocol", () =>
    Effect.gen(function* () {
      const url = "https://api.example.com/v1?key=1"
      for (const field of [
        "taskId",
        "runKey",
        "gatewayKey",
        "policyDigest",
        "reason",
        "protocol",
        "approvalId"
      ]) {
        assert.isTrue(Either.isLeft(yield* build({ [field]: url })), field)
      }
      for (const port of [0, 65_536, 1.5, "443"]) assert.isTrue(Either.isLeft(yield* build({ port })))
      assert.isTrue(Either.isLeft(yield* build({ decision: "maybe" })))
    })
  )

  it.effect("never shows the host", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(FastCheck.domain(), async (host) => {
          const event = await Effect.runPromise(networkEgress({ ...attempt, host }))
          assert.notInclude(JSON.stringify(event), host)
        })
      )
    )
  )
})
