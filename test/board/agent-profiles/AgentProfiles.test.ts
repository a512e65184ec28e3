import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileLimit } from "../../../src/board/agent-profiles/AgentProfile.ts"
import * as ProfileWriting from "../../../src/board/agent-profiles/ProfileWriting.ts"
import { actorOf, system } from "../../../src/kernel/Actor.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { World, world } from "../../support/World.ts"

const shared = sharedWorld()

const at = "/api/config/agent-profiles"

const content = (name: string) => ({ name, prompt: "Look", preferences: { model: "gpt-5" }, metadata: {} })

/** Brings a profile in, as an import does. */
const bring = (id: string, name = id) =>
  Effect.flatMap(Storage, ({ write }) => write(ProfileWriting.create({ id, content: content(name) }, system)))

describe("agent profiles", () => {
  it.scopedLive("are listed by name, disabled, and read one by one with their revision", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* bring("relay-b", "Writer")
      yield* bring("relay-a", "Scout")
      const { body: all } = yield* request("GET", at, { as: "read-only" })
      assert.deepStrictEqual(
        all.map(({ enabled, id }: { enabled: boolean; id: string }) => [id, enabled]),
        [
          ["relay-a", false],
          ["relay-b", false]
        ]
      )
      const one = yield* request("GET", `${at}/relay-a`)
      assert.deepInclude(one.body, { ...content("Scout"), id: "relay-a", enabled: false, revision: 1 })
      assert.strictEqual(one.headers.get("etag"), '"agent-profile:relay-a:1"')
      const unknown = yield* request("GET", `${at}/nobody`)
      assert.deepStrictEqual([unknown.status, unknown.body.code], [404, "NOT_FOUND"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("change by name, prompt and switch, under a precondition and without secrets", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* bring("relay-a")
      const patch = (body: unknown, headers = {}) =>
        request("PATCH", `${at}/relay-a`, { as: "admin", body, headers })
      const patched = yield* patch({ enabled: true, prompt: "Use password=hunter2secret" })
      assert.strictEqual(patched.status, 200)
      assert.deepInclude(patched.body, { enabled: true, name: "relay-a", revision: 2 })
      assert.notInclude(patched.body.prompt, "hunter2secret")
      assert.strictEqual((yield* patch({})).body.revision, 2, "an empty body changes nothing")
      const stale = yield* patch({ name: "Late" }, { "if-match": '"agent-profile:relay-a:1"' })
      assert.deepStrictEqual([stale.status, stale.body.code], [409, "CONFLICT"])
      assert.strictEqual(stale.body.details.currentRevision, 2)
      for (const body of [{ name: " " }, { enabled: "yes" }, { prompt: "x".repeat(20_001) }])
        assert.strictEqual((yield* patch(body)).status, 400)
      assert.strictEqual((yield* request("PATCH", `${at}/nobody`, { as: "admin", body: {} })).status, 404)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("are deleted for good, and only by those who may write settings", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* bring("relay-a")
      const denied = yield* request("DELETE", `${at}/relay-a`)
      assert.deepStrictEqual([denied.status, denied.body.code], [403, "PERMISSION_DENIED"])
      assert.strictEqual((yield* request("PATCH", `${at}/relay-a`, { body: { enabled: true } })).status, 403)
      const stale = { as: "admin", headers: { "x-resource-revision": "7" } } as const
      assert.strictEqual((yield* request("DELETE", `${at}/relay-a`, stale)).status, 409)
      assert.strictEqual((yield* request("DELETE", `${at}/relay-a`, { as: "admin" })).status, 204)
      assert.strictEqual((yield* request("DELETE", `${at}/relay-a`, { as: "admin" })).status, 404)
      assert.deepStrictEqual((yield* request("GET", at)).body, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("take one of several changes that were based on the same revision", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* bring("relay-b")
      const answers = yield* Effect.all(
        Array.from({ length: 10 }, (_, n) =>
          request("PATCH", `${at}/relay-b`, {
            as: "admin",
            body: { name: `Name ${n}` },
            headers: { "if-match": '"agent-profile:relay-b:1"' }
          })
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
      assert.strictEqual(answers.filter(({ status }) => status === 409).length, 9)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("have an end, and are brought in disabled by whomever", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(Array.from({ length: profileLimit }), (_, n) => bring(`relay-${n}`), {
        concurrency: "unbounded"
      })
      const one = yield* Effect.either(bring("relay-more"))
      assert.strictEqual(one._tag === "Left" ? one.left._tag : one._tag, "AgentProfileLimitReached")
      const { write } = yield* Storage
      const admin = actorOf({ name: "ann", role: "admin", authMethod: "api-key" })
      const { request } = yield* World
      yield* request("DELETE", `${at}/relay-0`, { as: "admin" })
      const made = yield* write(ProfileWriting.create({ id: "relay-new", content: content("New") }, admin))
      assert.isFalse(made.enabled)
    }).pipe(Effect.provide(world()))
  )
})
