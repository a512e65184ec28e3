import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { personaKind, teamKind } from "../../../src/board/agent-profiles/ImportSource.ts"
import * as ProfileWriting from "../../../src/board/agent-profiles/ProfileWriting.ts"
import { system } from "../../../src/kernel/Actor.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import * as Draft from "../../support/relay/Drafts.ts"
import { identities, seconds } from "../../support/relay/Keys.ts"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"
import { community, persona, team } from "./Community.ts"

const { alice, bob } = identities
const at = seconds() - 1_000

const define = (content: object, more: { at?: number; by?: typeof alice; d?: string } = {}) =>
  Draft.persona({ by: alice, at, d: "scout", content: { display_name: "Scout", ...content }, ...more })

const core = (personas: ReadonlyArray<string>, when = at) =>
  Draft.team({
    by: alice,
    at: when,
    d: "core",
    content: { name: "Core", description: "Those who start", persona_ids: personas }
  })

const profile = (id: string) =>
  Effect.flatMap(World, ({ request }) => request("GET", `/api/config/agent-profiles/${id}`, { as: "admin" }))

const roster = Effect.flatMap(World, ({ request }) =>
  Effect.map(request("GET", "/api/config/team-roster", { as: "admin" }), ({ body }) => body)
)

describe("an import", () => {
  it.scopedLive("creates a disabled profile, once, and links it", () =>
    Effect.gen(function* () {
      const { imported, links, relay } = yield* community()
      const event = define({ system_prompt: "Look", model: "gpt-5" })
      yield* relay.seed([event])
      const { body, status } = yield* imported(persona("scout"), "create")
      assert.strictEqual(status, 201)
      assert.deepInclude(body, {
        action: "create",
        created: true,
        coordinate: persona("scout"),
        eventId: event.id,
        targetId: "relay-scout",
        targetKind: "profile"
      })
      assert.match(body.localRevision, /^[0-9a-f]{64}$/)
      const { body: made } = yield* profile("relay-scout")
      assert.deepInclude(made, {
        id: "relay-scout",
        name: "Scout",
        prompt: "Look",
        enabled: false,
        preferences: { model: "gpt-5" },
        metadata: {},
        revision: 1
      })
      assert.deepInclude(made.source, { provider: "relay", coordinate: persona("scout"), eventId: event.id })
      const [link, ...others] = yield* links
      assert.deepStrictEqual(others, [])
      assert.deepInclude(link, {
        coordinate: persona("scout"),
        targetId: "relay-scout",
        targetKind: "profile",
        eventId: event.id,
        headEventId: event.id,
        status: "current"
      })
      const again = yield* imported(persona("scout"), "create")
      assert.strictEqual(again.status, 409)
      assert.deepStrictEqual(
        again.body.details.collisions.map(({ reason }: { reason: string }) => reason),
        ["target_exists"]
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("of one slug by two authors, or of an id that is taken, is a collision", () =>
    Effect.gen(function* () {
      const { imported, preview, relay } = yield* community()
      const { write } = yield* Storage
      yield* relay.seed([define({}), define({}, { by: bob }), define({}, { d: "writer" })])
      assert.strictEqual((yield* imported(persona("scout"), "create")).status, 201)
      const other = yield* imported(persona("scout", bob), "create")
      assert.deepStrictEqual([other.status, other.body.code], [409, "CONFLICT"])
      assert.include(other.body.message, "There is a relay-scout already")
      const content = { name: "Here before", prompt: "", preferences: {}, metadata: {} }
      yield* write(ProfileWriting.create({ id: "relay-writer", content }, system))
      const { body } = yield* preview(persona("writer"), "create")
      assert.deepStrictEqual(body.collisions[0].reason, "target_exists")
      assert.strictEqual((yield* imported(persona("writer"), "create")).status, 409)
      assert.strictEqual((yield* profile("relay-writer")).body.name, "Here before")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "links what is there without changing it, refreshes what belongs to the source, and skips",
    () =>
      Effect.gen(function* () {
        const { imported, links, relay, request } = yield* community()
        const { write } = yield* Storage
        const content = { name: "Here before", prompt: "Mine", preferences: { model: "x" }, metadata: {} }
        yield* write(ProfileWriting.create({ id: "mine", content }, system))
        yield* relay.seed([define({ system_prompt: "Theirs", avatar_url: "https://example.com/a.png" })])

        const skipped = yield* imported(persona("scout"), "skip")
        assert.deepStrictEqual([skipped.status, skipped.body.link], [200, null])
        assert.deepStrictEqual(yield* links, [])
        assert.strictEqual((yield* imported(persona("scout"), "refresh", "mine")).status, 409)

        const linked = yield* imported(persona("scout"), "link", "mine")
        assert.deepStrictEqual([linked.status, linked.body.created], [200, false])
        assert.strictEqual((yield* links)[0].targetId, "mine")
        assert.deepInclude((yield* profile("mine")).body, { ...content, enabled: false })

        yield* request("PATCH", "/api/config/agent-profiles/mine", { as: "admin", body: { enabled: true } })
        const newer = define({ system_prompt: "Theirs, better" }, { at: at + 5 })
        yield* relay.seed([newer])
        assert.deepInclude((yield* links)[0], { status: "changed", headEventId: newer.id })
        assert.strictEqual(
          (yield* profile("mine")).body.prompt,
          "Mine",
          "nothing follows the relay by itself"
        )
        const refreshed = yield* imported(persona("scout"), "refresh", "mine")
        assert.strictEqual(refreshed.status, 200)
        assert.strictEqual(refreshed.body.link.status, "current")
        const { body: after } = yield* profile("mine")
        assert.deepInclude(after, { name: "Scout", prompt: "Theirs, better", preferences: {}, enabled: true })
        assert.notProperty(after, "avatarUrl")

        yield* relay.seed([define({}, { d: "writer" })])
        const taken = yield* imported(persona("writer"), "link", "mine")
        assert.strictEqual(taken.body.details.collisions[0].reason, "target_linked_elsewhere")
        assert.strictEqual((yield* imported(persona("writer"), "link", "nobody")).status, 404)
      }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "needs a target for link and refresh, the id of its own for create, and what a preview showed",
    () =>
      Effect.gen(function* () {
        const { ask, relay } = yield* community()
        yield* relay.seed([define({})])
        const whole = { expectedEventId: "a".repeat(64), expectedLocalRevision: "b".repeat(64) }
        const attempts: ReadonlyArray<readonly [object, string]> = [
          [{ action: "link", ...whole }, "targetId"],
          [{ action: "refresh", ...whole }, "targetId"],
          [{ action: "create", targetId: "other", ...whole }, "targetId"],
          [{ action: "create", expectedLocalRevision: whole.expectedLocalRevision }, "expectedEventId"],
          [{ action: "create", ...whole, expectedEventId: "a".repeat(63) }, "expectedEventId"],
          [{ action: "create", ...whole, expectedLocalRevision: "absent" }, "expectedLocalRevision"]
        ]
        for (const [body, path] of attempts) {
          const answer = yield* ask("POST", "/relay/definitions/import", {
            coordinate: persona("scout"),
            ...body
          })
          assert.strictEqual(answer.status, 400)
          assert.strictEqual(answer.body.details.issues[0].path, path)
        }
      }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused when the source was replaced, or the profile changed, since the preview", () =>
    Effect.gen(function* () {
      const { importAs, imported, preview, relay, request } = yield* community()
      yield* relay.seed([define({ system_prompt: "One" })])
      const { body: first } = yield* preview(persona("scout"), "create")
      const newer = define({ system_prompt: "Two" }, { at: at + 5 })
      yield* relay.seed([newer])
      const replaced = yield* importAs(persona("scout"), "create", first)
      assert.strictEqual(replaced.status, 409)
      assert.strictEqual(replaced.body.code, "CONFLICT")
      assert.strictEqual(replaced.body.details.currentEventId, newer.id)
      assert.strictEqual((yield* profile("relay-scout")).status, 404)

      yield* imported(persona("scout"), "create")
      const { body: second } = yield* preview(persona("scout"), "refresh")
      const mine = { as: "admin", body: { prompt: "Mine" } } as const
      yield* request("PATCH", "/api/config/agent-profiles/relay-scout", mine)
      const stale = yield* importAs(persona("scout"), "refresh", second, "relay-scout")
      assert.strictEqual(stale.status, 409)
      assert.include(stale.body.message, "preview the import again")
      assert.strictEqual((yield* profile("relay-scout")).body.prompt, "Mine")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("wins once when several arrive together", () =>
    Effect.gen(function* () {
      const { importAs, preview, relay } = yield* community()
      yield* relay.seed([define({})])
      for (const [action, won] of [
        ["create", 201],
        ["refresh", 200]
      ] as const) {
        const { body } = yield* preview(persona("scout"), action)
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => importAs(persona("scout"), action, body, "relay-scout")),
          { concurrency: "unbounded" }
        )
        const statuses = answers.map(({ status }) => status).toSorted()
        assert.deepStrictEqual(statuses, [won, 409, 409, 409, 409, 409, 409, 409])
      }
      assert.strictEqual((yield* profile("relay-scout")).body.revision, 2)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "of a team takes the author's linked personas as disabled members, and names those it lacks",
    () =>
      Effect.gen(function* () {
        const { imported, links, preview, relay, request } = yield* community()
        yield* relay.seed([
          define({}),
          define({}, { d: "writer", by: bob }),
          core(["scout", "writer", "scout"])
        ])
        yield* imported(persona("scout"), "create")
        yield* imported(persona("writer", bob), "create")
        const { body } = yield* preview(team("core"), "create")
        const member = { profileId: "relay-scout", name: "Scout", slug: "scout", enabled: false }
        assert.deepStrictEqual(body.proposed, {
          id: "relay-team-core",
          name: "Core",
          description: "Those who start",
          enabled: false,
          members: [member],
          unresolved: ["writer"]
        })
        assert.deepStrictEqual(body.unresolvedPersonas, ["writer"], "Bob's writer is not Alice's")
        const made = yield* imported(team("core"), "create")
        assert.deepStrictEqual([made.status, made.body.targetKind], [201, "roster"])
        const manifest = yield* roster
        assert.deepInclude(manifest, {
          enabled: false,
          coordinator: null,
          members: [member],
          rules: [],
          fallbacks: [],
          reviewers: []
        })
        assert.deepInclude(manifest.rosters[0], {
          id: "relay-team-core",
          enabled: false,
          unresolved: ["writer"]
        })
        assert.deepStrictEqual(
          (yield* links).map(({ targetId }: { targetId: string }) => targetId),
          ["relay-scout", "relay-writer", "relay-team-core"]
        )

        yield* relay.seed([define({ display_name: "Writer" }, { d: "writer" })])
        yield* request("DELETE", "/api/config/agent-profiles/relay-writer", { as: "admin" })
        yield* imported(persona("writer"), "create")
        const refreshed = yield* imported(team("core"), "refresh", "relay-team-core")
        assert.strictEqual(refreshed.status, 200)
        assert.deepStrictEqual(
          (yield* roster).members.map(({ name }: { name: string }) => name),
          ["Scout", "Writer"]
        )
      }).pipe(Effect.provide(world()))
  )

  it.scopedLive("of a team is refused when a member's profile changed since the preview", () =>
    Effect.gen(function* () {
      const { importAs, imported, preview, relay, request } = yield* community()
      yield* relay.seed([define({}), core(["scout"])])
      yield* imported(persona("scout"), "create")
      const { body } = yield* preview(team("core"), "create")
      yield* request("DELETE", "/api/config/agent-profiles/relay-scout", { as: "admin" })
      assert.strictEqual((yield* importAs(team("core"), "create", body)).status, 409)
      assert.deepStrictEqual((yield* roster).rosters, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("tells of a source that is gone", () =>
    Effect.gen(function* () {
      const { importAs, imported, links, preview, relay } = yield* community()
      yield* relay.seed([define({})])
      yield* imported(persona("scout"), "create")
      const { body } = yield* preview(persona("scout"), "refresh")
      relay.serve("/query", (response) => {
        response.end("[]")
      })
      assert.deepInclude((yield* links)[0], { status: "missing", headEventId: null })
      assert.strictEqual((yield* importAs(persona("scout"), "refresh", body, "relay-scout")).status, 404)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("asks the relay for definitions and nothing else of anybody", () =>
    Effect.gen(function* () {
      const { imported, relay } = yield* community()
      yield* relay.seed([define({ avatar_url: "https://example.com/a.png" }), core(["scout"])])
      const before = relay.journal.http.length
      yield* imported(persona("scout"), "create")
      yield* imported(team("core"), "create")
      const since = relay.journal.http.slice(before)
      assert.isAbove(since.length, 0)
      for (const { body, method, path } of since) {
        assert.deepStrictEqual([method, path], ["POST", "/query"])
        for (const { kinds } of JSON.parse(body))
          assert.includeMembers([personaKind, teamKind], kinds, "definitions are all that is asked for")
      }
      assert.deepStrictEqual(relay.journal.accepted, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("outlives a restart, and is written down without a word of what it says", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const audit = yield* Effect.scoped(
        Effect.gen(function* () {
          const { imported, relay, request } = yield* community()
          yield* relay.seed([define({ system_prompt: "Never to be written down" })])
          yield* imported(persona("scout"), "create")
          return (yield* request("GET", "/api/audit?limit=20", { as: "admin" })).body
        }).pipe(Effect.provide(worldIn(directory)))
      )
      const told = JSON.stringify(audit)
      assert.include(told, "agent-profile.created")
      assert.notInclude(told, "Never to be written down")
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* profile("relay-scout")).body.prompt, "Never to be written down")
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})
