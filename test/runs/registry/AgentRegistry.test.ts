import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { firstRow } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import {
  type As,
  type RequestOptions,
  temporaryDirectory,
  World,
  world,
  worldIn
} from "../../support/World.ts"
import { manifest } from "../manifests/Manifest.ts"

const shared = sharedWorld()

/** A request to the registry, as the admin unless it says otherwise. */
const ask = (method: string, path: string, options: RequestOptions = {}) =>
  Effect.flatMap(World, ({ request }) =>
    request(method, `/api/agents/register${path}`, { as: "admin", ...options })
  )

const register = (body: object, as: As = "admin") => ask("POST", "", { as, body })

const at = (id: string) => `/${encodeURIComponent(id)}`

const heartbeat = (id: string, body: object, as: As = "admin") =>
  ask("POST", `${at(id)}/heartbeat`, { as, body })

/** Asks with a token of its own. */
const withToken = (name: string, role: string, scopes?: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { request } = yield* World
    const made = yield* request("POST", "/api/auth/tokens", {
      as: "admin",
      body: { name, role, ...(scopes === undefined ? {} : { scopes }) }
    })
    return (method: string, path: string, body?: object) =>
      ask(method, path, {
        as: null,
        headers: { "x-api-key": made.body.token },
        ...(body === undefined ? {} : { body })
      })
  })

const links = Effect.flatMap(Storage, ({ read }) =>
  Effect.map(
    read(firstRow<{ n: number }>((sql) => sql`SELECT COUNT(*) AS n FROM audit`)),
    (found) => found?.n ?? 0
  )
)

describe("the agent registry", () => {
  it.scopedLive("reads back what an agent registered with, and what the service knows of it", () =>
    Effect.gen(function* () {
      const body = {
        id: "read-back",
        name: "Read back",
        model: "m1",
        provider: "acme",
        capabilities: [{ name: "code", description: "Writes code" }, { name: "review" }],
        version: "1.0.0"
      }
      const made = yield* register({ ...body, providerRuntimeManifest: manifest })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, {
        ...body,
        status: "online",
        currentTaskId: null,
        currentTaskTitle: null
      })
      assert.deepInclude(made.body.providerRuntimeManifest, manifest)
      assert.match(made.body.providerRuntimeManifest.digest, /^sha256:[0-9a-f]{64}$/)
      assert.strictEqual(made.body.lastHeartbeatAt, made.body.registeredAt)
      const read = yield* ask("GET", "/read-back", { as: "read-only" })
      assert.deepStrictEqual([read.status, read.body], [200, made.body])
      const list = yield* ask("GET", "?limit=1000", { as: "read-only" })
      assert.deepInclude(list.body, made.body)
      assert.isAtLeast(Number(list.headers.get("x-total-count")), 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("gives an agent without a manifest one that knows nothing, null counting as none", () =>
    Effect.gen(function* () {
      const bare = yield* register({ id: "bare", name: "Bare", providerRuntimeManifest: null })
      assert.strictEqual(bare.status, 201)
      assert.deepStrictEqual(bare.body.capabilities, [])
      const { capabilities, probe } = bare.body.providerRuntimeManifest
      assert.isNotEmpty(capabilities)
      assert.isTrue(capabilities.every(({ state }: { state: string }) => state === "unknown"))
      assert.strictEqual(probe.state, "unknown")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("refuses what is malformed, unknown or secret, and echoes none of it", () =>
    Effect.gen(function* () {
      const secret = `sk-ant-api03-${"aB3".repeat(30)}`
      const whole = { id: "faulty", name: "Faulty" }
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [{ name: "No id" }, "id"],
        [{ id: "no-name" }, "name"],
        [{ ...whole, id: " " }, "id"],
        [{ ...whole, id: ".." }, "id"],
        [{ ...whole, id: "a".repeat(201) }, "id"],
        [{ ...whole, id: secret }, "id"],
        [{ ...whole, foo: 1 }, "foo"],
        [{ ...whole, capabilities: "code" }, "capabilities"],
        [{ ...whole, capabilities: [{ name: "a", level: 1 }] }, "capabilities.0.level"],
        [{ ...whole, providerRuntimeManifest: { ...manifest, secret } }, "providerRuntimeManifest.secret"],
        [
          {
            ...whole,
            providerRuntimeManifest: {
              ...manifest,
              probe: { ...manifest.probe, diagnostics: [`token=${secret}`] }
            }
          },
          "providerRuntimeManifest.probe.diagnostics.0"
        ],
        [
          { ...whole, providerRuntimeManifest: { ...manifest, digest: `sha256:${"0".repeat(64)}` } },
          "providerRuntimeManifest.digest"
        ]
      ]
      for (const [body, path] of wrong) {
        const answer = yield* register(body)
        assert.strictEqual(answer.status, 400, path)
        assert.strictEqual(answer.body.code, "VALIDATION_ERROR")
        assert.include(
          answer.body.details.issues.map((issue: { path: string }) => issue.path),
          path
        )
        assert.notInclude(JSON.stringify(answer.body), secret.slice(0, 20))
      }
      const named = yield* register({ ...whole, providerRuntimeManifest: { ...manifest, [secret]: 1 } })
      assert.strictEqual(named.status, 400)
      assert.notInclude(JSON.stringify(named.body), secret.slice(0, 20))
      assert.strictEqual((yield* ask("GET", "/faulty")).status, 404)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("finds an agent by any id that it took, the longest too", () =>
    Effect.gen(function* () {
      for (const id of [
        "a".repeat(200),
        "日".repeat(200),
        "team/ci bot",
        "__proto__",
        "route",
        "%2e",
        "a?b#c"
      ]) {
        assert.strictEqual((yield* register({ id, name: "Odd" })).status, 201, id)
        assert.strictEqual((yield* ask("GET", at(id))).body.id, id)
        assert.strictEqual((yield* heartbeat(id, { status: "idle" })).body.status, "idle")
        assert.strictEqual((yield* ask("DELETE", at(id))).status, 204)
        assert.strictEqual((yield* ask("GET", at(id))).status, 404)
      }
      for (const odd of ["nobody", "%FF", "%00", "a".repeat(5_000)]) {
        assert.include([400, 404], (yield* ask("GET", `/${odd}`)).status, odd)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("replaces an agent that registers again, also when many do at once", () =>
    Effect.gen(function* () {
      yield* register({ id: "again", name: "First", model: "m1" })
      yield* heartbeat("again", { status: "busy", currentTaskId: "task_1", currentTaskTitle: "One" })
      const names = Array.from({ length: 20 }, (_, index) => `Agent ${index}`)
      const answers = yield* Effect.forEach(names, (name) => register({ id: "again", name }), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
      const { body } = yield* ask("GET", "/again")
      assert.include(names, body.name)
      assert.notProperty(body, "model")
      assert.deepInclude(body, { status: "online", currentTaskId: null, currentTaskTitle: null })
      const list = (yield* ask("GET", "?limit=1000")).body
      assert.lengthOf(
        list.filter(({ id }: { id: string }) => id === "again"),
        1
      )
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("hears what an agent does, and leaves what it does not say", () =>
    Effect.gen(function* () {
      yield* register({ id: "beating", name: "Beating", providerRuntimeManifest: manifest })
      const busy = yield* heartbeat("beating", {
        status: "busy",
        currentTaskId: "task_1",
        currentTaskTitle: "Write the docs"
      })
      assert.strictEqual(busy.status, 200)
      const task = { currentTaskId: "task_1", currentTaskTitle: "Write the docs" }
      assert.deepInclude(busy.body, { status: "busy", ...task })
      assert.deepInclude((yield* heartbeat("beating", { status: "online" })).body, task)
      assert.deepInclude((yield* heartbeat("beating", { status: "busy", currentTaskId: "task_2" })).body, {
        currentTaskId: "task_2",
        currentTaskTitle: null
      })
      assert.deepInclude((yield* heartbeat("beating", { status: "idle" })).body, {
        status: "idle",
        currentTaskId: null
      })
      const before = (yield* ask("GET", "/beating")).body.providerRuntimeManifest.digest
      const same = yield* heartbeat("beating", { status: "offline", providerRuntimeManifest: null })
      assert.strictEqual(same.body.providerRuntimeManifest.digest, before)
      const next = { ...manifest, providerVersion: "1.2.4" }
      const fresh = yield* heartbeat("beating", { status: "online", providerRuntimeManifest: next })
      assert.notStrictEqual(fresh.body.providerRuntimeManifest.digest, before)
      for (const wrong of [{ status: "sleeping" }, {}, { status: "online", mood: "good" }]) {
        assert.strictEqual((yield* heartbeat("beating", wrong)).status, 400)
      }
      assert.strictEqual((yield* heartbeat("nobody", { status: "online" })).status, 404)
      assert.strictEqual((yield* ask("DELETE", "/beating")).status, 204)
      assert.strictEqual((yield* ask("DELETE", "/beating")).status, 404)
      assert.strictEqual((yield* heartbeat("beating", { status: "online" })).status, 404)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("lets an agent write the entry that bears the name of its key, and no other one", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* register({ id: "codex", name: "Codex" }, "agent")).status, 201)
      assert.strictEqual((yield* heartbeat("codex", { status: "busy" }, "agent")).status, 200)
      yield* register({ id: "another", name: "Another" })
      for (const id of ["another", "nobody", "Codex", "codex2"]) {
        const refused = [
          yield* register({ id, name: "Codex" }, "agent"),
          yield* heartbeat(id, { status: "online" }, "agent"),
          yield* ask("DELETE", at(id), { as: "agent" })
        ]
        for (const { body, status } of refused) {
          assert.deepStrictEqual([status, body.code], [403, "PERMISSION_DENIED"])
          assert.deepStrictEqual(body.details, { requiredPermission: "agent:write" })
        }
      }
      assert.strictEqual((yield* ask("DELETE", "/codex", { as: "agent" })).status, 204)
      assert.strictEqual((yield* register({ id: "reader", name: "R" }, "read-only")).status, 403)
      assert.strictEqual((yield* ask("GET", "", { as: null })).status, 401)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("takes the name of a token for it, and what a token may write when it was given more", () =>
    Effect.gen(function* () {
      const own = yield* withToken("ci bot", "agent", ["comment:write"])
      assert.strictEqual((yield* own("POST", "", { id: "ci bot", name: "CI" })).status, 201)
      assert.strictEqual((yield* own("POST", "", { id: "cd bot", name: "CD" })).status, 403)
      assert.strictEqual((yield* own("GET", "/ci%20bot")).status, 403)
      const reads = yield* withToken("reads", "agent", ["agent:read", "task:read"])
      assert.strictEqual((yield* reads("POST", "", { id: "reads", name: "Reads" })).status, 403)
      assert.strictEqual((yield* reads("GET", "")).status, 200)
      const lead = yield* withToken("lead", "agent", ["agent:write"])
      assert.strictEqual((yield* lead("POST", "", { id: "cd bot", name: "CD" })).status, 201)
      assert.strictEqual((yield* lead("DELETE", "/ci%20bot")).status, 204)
      const narrow = yield* withToken("narrow", "admin", ["task:write", "comment:write"])
      assert.strictEqual((yield* narrow("POST", "", { id: "narrow", name: "N" })).status, 403)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("asks no display name whose entry it is: a person has agent:write, or no entry", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const invited = yield* request("POST", "/api/identity/workspaces/default/invitations", {
        as: "admin",
        body: { email: "eve@example.com", role: "agent" }
      })
      yield* request("POST", "/api/auth/invitations/accept", {
        as: null,
        body: { token: invited.body.token, displayName: "victim", email: "eve@example.com" }
      })
      const members = yield* request("GET", "/api/identity/workspaces/default/members", { as: "admin" })
      const eve = members.body.find(({ email }: { email: string }) => email === "eve@example.com")
      const pairing = yield* request("POST", "/api/identity/workspaces/default/device-pairing-codes", {
        as: "admin",
        body: { deviceName: "Phone", clientMode: "mobile", role: "agent", membershipId: eve.id }
      })
      const { code, link } = pairing.body
      const payload = JSON.parse(Buffer.from(new URL(link).hash.slice(1), "base64url").toString())
      const device = yield* request("POST", "/api/auth/device-pairing/exchange", {
        as: null,
        body: { code, payload }
      })
      const answer = yield* ask("POST", "", {
        as: null,
        headers: { authorization: `Bearer ${device.body.token}` },
        body: { id: "victim", name: "Eve" }
      })
      assert.strictEqual(answer.status, 403)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("writes an event for what changes, and none for a heartbeat that says what is known", () =>
    Effect.gen(function* () {
      yield* register({ id: "quiet", name: "Quiet" })
      yield* heartbeat("quiet", { status: "busy", currentTaskId: "task_1" })
      const before = yield* links
      for (let beat = 0; beat < 5; beat++) {
        yield* heartbeat("quiet", { status: "busy", currentTaskId: "task_1" })
      }
      assert.strictEqual(yield* links, before)
      yield* heartbeat("quiet", { status: "idle" })
      assert.strictEqual(yield* links, before + 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("reads an agent as offline after the timeout, until it is heard of again", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      yield* register({ id: "sleepy", name: "Sleepy" })
      const status = Effect.map(ask("GET", "/sleepy"), ({ body }) => body.status)
      for (let beat = 0; beat < 4; beat++) {
        yield* clock.step(Duration.minutes(3))
        assert.strictEqual(yield* status, "online")
        yield* heartbeat("sleepy", { status: "online" })
      }
      yield* clock.step(Duration.millis(299_999))
      assert.strictEqual(yield* status, "online")
      yield* clock.step(Duration.millis(1))
      assert.strictEqual(yield* status, "offline")
      const before = yield* links
      assert.strictEqual((yield* heartbeat("sleepy", { status: "online" })).body.status, "online")
      assert.strictEqual(yield* links, before + 1, "coming back is news")
    }).pipe(Effect.provide(Layer.provide(world(), clock.layer)))
  })

  it.scopedLive("keeps to the operator's timeout, and its entries over a restart", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const living = (heartbeatTimeoutSeconds: number) =>
        Layer.provide(worldIn(directory, { heartbeatTimeoutSeconds }), clock.layer)
      yield* Effect.provide(register({ id: "kept", name: "Kept" }), living(2)).pipe(Effect.scoped)
      yield* clock.step("2 seconds")
      const status = Effect.map(ask("GET", "/kept"), ({ body }) => body.status)
      assert.strictEqual(yield* Effect.scoped(Effect.provide(status, living(2))), "offline")
      assert.strictEqual(yield* Effect.scoped(Effect.provide(status, living(3))), "online")
    })
  })

  it.scopedLive("holds 500 agents, of which one that was silent for a day gives way to a new one", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      yield* Effect.forEach(
        Array.from({ length: 500 }, (_, index) => `agent-${index}`),
        (id) => register({ id, name: id }),
        { concurrency: 50, discard: true }
      )
      const full = yield* register({ id: "one-more", name: "One more" })
      assert.deepStrictEqual([full.status, full.body.code], [409, "CONFLICT"])
      assert.strictEqual((yield* register({ id: "agent-7", name: "Again" })).status, 201)
      yield* clock.step("25 hours")
      yield* heartbeat("agent-0", { status: "idle" })
      assert.strictEqual((yield* register({ id: "one-more", name: "One more" })).status, 201)
      const list = yield* ask("GET", "?limit=1000")
      assert.strictEqual(list.headers.get("x-total-count"), "500")
      assert.strictEqual(list.body[0].id, "one-more")
      assert.strictEqual((yield* ask("GET", "/agent-0")).status, 200)
    }).pipe(Effect.provide(Layer.provide(world(), clock.layer)))
  })
})
