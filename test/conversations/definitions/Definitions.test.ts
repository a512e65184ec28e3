import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sha256 } from "../../../src/kernel/Digest.ts"
import { iso } from "../../../src/kernel/Time.ts"
import * as Draft from "../../support/relay/Drafts.ts"
import { identities, seconds, sign } from "../../support/relay/Keys.ts"
import { world } from "../../support/World.ts"
import { community, persona, team } from "./Community.ts"

const { alice, bob } = identities
const at = seconds() - 1_000

const scout = {
  display_name: "Scout",
  system_prompt: "Look around.\nThen report.",
  avatar_url: "https://example.com/scout.png",
  runtime: "goose",
  model: "gpt-5",
  provider: "openai",
  name_pool: ["Ada", "Grace"],
  respond_to: "mentions"
}

const scoutBy = (content: object = {}, more: { at?: number; by?: typeof alice; d?: string } = {}) =>
  Draft.persona({ by: alice, at, d: "scout", content: { ...scout, ...content }, ...more })

describe("the definitions of a relay", () => {
  it.scopedLive("are listed by author, kind and d tag, newest first, with nothing that is not signed", () =>
    Effect.gen(function* () {
      const { list, relay } = yield* community()
      const core = Draft.team({
        by: alice,
        at: at + 5,
        d: "core",
        content: { name: "Core", persona_ids: [] }
      })
      const bobs = scoutBy({ display_name: "Bob's scout" }, { by: bob, at: at + 9 })
      yield* relay.seed([scoutBy(), bobs, core])
      const { definitions, limit, rejectedCount, truncated } = yield* list
      assert.deepStrictEqual(
        definitions.map(({ coordinate, importable, kind, name }: Record<string, unknown>) => [
          coordinate,
          kind,
          name,
          importable
        ]),
        [
          [persona("scout", bob), "persona", "Bob's scout", true],
          [team("core"), "team", "Core", true],
          [persona("scout"), "persona", "Scout", true]
        ]
      )
      assert.deepStrictEqual([rejectedCount, truncated, limit], [0, false, 1_000])
      assert.strictEqual(definitions[0].eventId, bobs.id)
      assert.strictEqual(definitions[0].createdAt, iso((at + 9) * 1_000))
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are read page by page, also from a relay that does not know before_id", () =>
    Effect.gen(function* () {
      for (const beforeId of [true, false]) {
        const { list, relay } = yield* community({ pageCap: 7, beforeId })
        yield* relay.seed(
          Array.from({ length: 30 }, (_, n) => scoutBy({}, { d: `scout-${n}`, at: at + Math.floor(n / 3) }))
        )
        const { definitions, truncated } = yield* list
        assert.strictEqual(definitions.length, 30)
        assert.isFalse(truncated)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are at most a thousand, and the list says when there may be more", () =>
    Effect.gen(function* () {
      const { list, relay } = yield* community()
      yield* relay.seed(Array.from({ length: 1_010 }, (_, n) => scoutBy({}, { d: `s${n}`, at: at + n })))
      const { definitions, truncated } = yield* list
      assert.isTrue(truncated)
      assert.strictEqual(definitions.length, 1_000)
      assert.strictEqual(definitions[0].coordinate.dTag, "s1009", "the newest are those that are read")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "count what is forged or malformed, and take the latest, then the lowest id, for the head",
    () =>
      Effect.gen(function* () {
        const { list, preview, relay } = yield* community()
        const twins = [scoutBy({ model: "a" }), scoutBy({ model: "b" })]
        const lowest = twins.map(({ id }) => id).toSorted()[0]
        const forged = { ...scoutBy({}, { d: "forged" }), content: "{}" }
        const nameless = sign(alice, { kind: 30175, at, content: JSON.stringify(scout) })
        const note = sign(alice, { kind: 1, at, tags: [["d", "note"]], content: "{}" })
        const old = scoutBy({ model: "old" }, { at: at - 10 })
        relay.serve("/query", (response) => {
          response.end(JSON.stringify([forged, nameless, note, "junk", old, ...twins.toReversed()]))
        })
        const { definitions, rejectedCount, truncated } = yield* list
        assert.deepStrictEqual(
          definitions.map(({ eventId }: { eventId: string }) => eventId),
          [lowest]
        )
        assert.strictEqual(rejectedCount, 4)
        assert.isFalse(truncated, "a relay that gives the same again has no more")
        assert.strictEqual((yield* preview(persona("scout"), "create")).body.event.id, lowest)
      }).pipe(Effect.provide(world()))
  )

  it.scopedLive("name the fields of a rejected head, none of its values, and use nothing older", () =>
    Effect.gen(function* () {
      const { importAs, list, preview, relay, request } = yield* community()
      const secret = "hunter2-is-the-password"
      const rejected = scoutBy({ env_vars: { TOKEN: secret }, display_name: "Looks fine" }, { at: at + 5 })
      relay.serve("/query", (response) => {
        response.end(JSON.stringify([scoutBy(), rejected]))
      })
      const listed = yield* list
      assert.deepStrictEqual(listed.definitions, [
        {
          coordinate: persona("scout"),
          kind: "persona",
          eventId: rejected.id,
          createdAt: iso((at + 5) * 1_000),
          name: null,
          importable: false,
          reasons: [{ field: "env_vars", disposition: "rejected", reason: "Environments are never imported" }]
        }
      ])
      const shown = yield* preview(persona("scout"), "create")
      assert.strictEqual(shown.status, 200)
      assert.deepStrictEqual(shown.body.event, {
        id: rejected.id,
        pubkey: alice.publicKey,
        kind: 30175,
        created_at: at + 5
      })
      assert.isNull(shown.body.proposed)
      const refused = yield* importAs(persona("scout"), "create", shown.body)
      assert.strictEqual(refused.status, 409)
      assert.strictEqual(refused.body.details.fields[0].field, "env_vars")
      const told = JSON.stringify([listed, shown.body, refused.body])
      assert.notInclude(told, secret)
      assert.notInclude(told, "Looks fine")
      assert.deepStrictEqual((yield* request("GET", "/api/config/agent-profiles", { as: "admin" })).body, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("are not there without a healthy connection, and the answer says why", () =>
    Effect.gen(function* () {
      const { ask, importAs, imported, links, preview, relay } = yield* community()
      yield* relay.seed([scoutBy()])
      yield* imported(persona("scout"), "create")
      const { body: previewed } = yield* preview(persona("scout"), "refresh")
      const refusals = Effect.gen(function* () {
        const answers = [
          yield* ask("GET", "/relay/definitions"),
          yield* preview(persona("scout"), "create"),
          yield* importAs(persona("scout"), "refresh", previewed, "relay-scout")
        ]
        assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [409])
        assert.deepStrictEqual(
          [...new Set((yield* links).map((link: { status: string }) => link.status))],
          ["unavailable"]
        )
        return answers[0]?.body
      })
      yield* relay.set({ version: "9.9.9" })
      yield* ask("POST", "/test")
      const unsupported = yield* refusals
      assert.strictEqual(unsupported.code, "CONFLICT")
      assert.strictEqual(unsupported.details.reasonCode, "relay_version_unsupported")
      assert.include(unsupported.error, "never tested")

      yield* relay.set({ version: "0.2.1" })
      yield* ask("POST", "/test")
      yield* relay.stop()
      assert.strictEqual((yield* refusals).details.reasonCode, "relay_unreachable")

      yield* relay.start()
      yield* ask("POST", "/disconnect")
      assert.strictEqual((yield* refusals).details.reasonCode, "adapter_disabled")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("belong to adapters that exist and lead to relays, and to those who may read settings", () =>
    Effect.gen(function* () {
      const { ask, preview, relay, request } = yield* community()
      yield* relay.seed([scoutBy()])
      const elsewhere = "/api/integrations/communication/adapters/nowhere/relay/definitions"
      for (const path of ["", "/links"])
        assert.strictEqual((yield* request("GET", `${elsewhere}${path}`)).status, 404)
      assert.strictEqual((yield* preview(persona("nobody"), "create")).status, 404)
      assert.strictEqual((yield* ask("GET", "/relay/definitions", undefined, "read-only")).status, 200)
      const body = { coordinate: persona("scout"), action: "create" }
      const reader = yield* ask("POST", "/relay/definitions/preview", body, "read-only")
      assert.strictEqual(reader.status, 403)
      const previewed = yield* ask("POST", "/relay/definitions/preview", body, "agent")
      assert.strictEqual(previewed.status, 200)
      const { expectedEventId, expectedLocalRevision } = previewed.body
      const denied = yield* ask(
        "POST",
        "/relay/definitions/import",
        { ...body, expectedEventId, expectedLocalRevision },
        "agent"
      )
      assert.deepStrictEqual([denied.status, denied.body.code], [403, "PERMISSION_DENIED"])
      assert.strictEqual((yield* request("GET", `${elsewhere}/links`, { as: null })).status, 401)
    }).pipe(Effect.provide(world()))
  )
})

describe("a preview", () => {
  it.scopedLive(
    "shows the event, what becomes of its fields and the disabled profile, and writes nothing",
    () =>
      Effect.gen(function* () {
        const { links, preview, relay, request } = yield* community()
        const event = scoutBy({ later: { anything: [1] } })
        yield* relay.seed([event])
        const { body, status } = yield* preview(persona("scout"), "create")
        assert.strictEqual(status, 200)
        const { sig: _, ...unsigned } = event
        assert.deepStrictEqual(body.event, unsigned)
        assert.notInclude(JSON.stringify(body), event.sig)
        assert.strictEqual(body.contentHash, sha256(event.content))
        assert.deepStrictEqual(
          body.fields.map((field: Record<string, unknown>) => [field.field, field.disposition, field.target]),
          [
            ["display_name", "mapped", "name"],
            ["system_prompt", "mapped", "prompt"],
            ["avatar_url", "mapped", "avatarUrl"],
            ["runtime", "mapped", "preferences.runtime"],
            ["model", "mapped", "preferences.model"],
            ["provider", "mapped", "preferences.provider"],
            ["name_pool", "mapped", "metadata.namePool"],
            ["respond_to", "source-only", undefined],
            ["later", "ignored", undefined]
          ]
        )
        assert.deepStrictEqual(body.proposed, {
          id: "relay-scout",
          name: "Scout",
          enabled: false,
          prompt: "Look around.\nThen report.",
          avatarUrl: "https://example.com/scout.png",
          preferences: { runtime: "goose", model: "gpt-5", provider: "openai" },
          metadata: { namePool: ["Ada", "Grace"] }
        })
        assert.deepInclude(body, {
          targetId: "relay-scout",
          targetKind: "profile",
          expectedEventId: event.id,
          expectedLocalRevision: sha256("absent"),
          collisions: [],
          unresolvedPersonas: [],
          importable: true,
          link: null
        })
        assert.deepStrictEqual(yield* links, [])
        assert.strictEqual((yield* request("GET", "/api/config/agent-profiles/relay-scout")).status, 404)
      }).pipe(Effect.provide(world()))
  )

  it.scopedLive("refuses what names no definition", () =>
    Effect.gen(function* () {
      const { ask, preview } = yield* community()
      const wrong = [
        { ...persona("scout"), authorPubkey: alice.publicKey.slice(1) },
        { ...persona("scout"), kind: 30177 },
        { authorPubkey: alice.publicKey, kind: 30175 },
        { ...persona("scout"), dTag: "" },
        { ...persona("scout"), dTag: "x".repeat(81) }
      ]
      for (const coordinate of wrong) {
        const { body, status } = yield* preview(coordinate, "create")
        assert.deepStrictEqual([status, body.code], [400, "VALIDATION_ERROR"])
      }
      assert.strictEqual((yield* preview(persona("scout"), "enable")).status, 400)
      for (const method of ["PUT", "DELETE"])
        assert.strictEqual((yield* ask(method, "/relay/definitions/scout", {})).status, 404)
    }).pipe(Effect.provide(world()))
  )
})
