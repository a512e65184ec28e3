import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ProfileWriting from "../../../src/board/agent-profiles/ProfileWriting.ts"
import * as RosterWriting from "../../../src/board/team-roster/RosterWriting.ts"
import { rosterLimit } from "../../../src/board/team-roster/TeamRoster.ts"
import { system } from "../../../src/kernel/Actor.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { World, world } from "../../support/World.ts"

const at = "/api/config/team-roster"

const bringProfile = (id: string, name: string) =>
  Effect.flatMap(Storage, ({ write }) =>
    write(ProfileWriting.create({ id, content: { name, prompt: "", preferences: {}, metadata: {} } }, system))
  )

/** Brings a team in, as an import does. */
const bring = (slug: string, personas: ReadonlyArray<string> = []) =>
  Effect.flatMap(Storage, ({ write }) =>
    write(
      RosterWriting.create(
        {
          id: `relay-team-${slug}`,
          content: {
            name: slug,
            members: personas.map((persona) => ({ slug: persona, profileId: `relay-${persona}` })),
            unresolved: ["nobody"]
          },
          source: {
            provider: "relay",
            adapterId: "community",
            coordinate: { authorPubkey: "a".repeat(64), kind: 30176, dTag: slug },
            eventId: "b".repeat(64),
            linkedAt: "2026-01-01T00:00:00.000Z"
          }
        },
        system
      )
    )
  )

const manifest = Effect.flatMap(World, ({ request }) =>
  Effect.map(request("GET", at, { as: "read-only" }), ({ body }) => body)
)

describe("the team roster", () => {
  it.scopedLive("is off and empty until something is imported", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* manifest, {
        enabled: false,
        coordinator: null,
        members: [],
        rules: [],
        fallbacks: [],
        reviewers: [],
        rosters: []
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("shows imported teams with disabled members by the names that their profiles have now", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* bringProfile("relay-scout", "Scout")
      yield* bringProfile("relay-writer", "Writer")
      yield* bring("one", ["scout", "writer"])
      yield* bring("two", ["scout"])
      const rename = { as: "admin", body: { name: "Renamed", enabled: true } } as const
      yield* request("PATCH", "/api/config/agent-profiles/relay-scout", rename)
      const scout = { profileId: "relay-scout", name: "Renamed", slug: "scout", enabled: false }
      const writer = { profileId: "relay-writer", name: "Writer", slug: "writer", enabled: false }
      const { members, rosters } = yield* manifest
      assert.deepStrictEqual(members, [scout, writer])
      assert.deepStrictEqual(rosters[0].members, [scout, writer])
      assert.deepStrictEqual(rosters[1].members, [scout])
      assert.isFalse(rosters[0].enabled)

      yield* request("DELETE", "/api/config/agent-profiles/relay-writer", { as: "admin" })
      const after = yield* manifest
      assert.deepStrictEqual(after.members, [scout])
      assert.deepStrictEqual(after.rosters[0].unresolved, ["writer", "nobody"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("lets an imported team go, and keeps the profiles of its members", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* bringProfile("relay-scout", "Scout")
      yield* bring("one", ["scout"])
      const path = `${at}/rosters/relay-team-one`
      assert.strictEqual((yield* request("DELETE", path)).status, 403)
      assert.strictEqual((yield* request("DELETE", path, { as: "admin" })).status, 204)
      const again = yield* request("DELETE", path, { as: "admin" })
      assert.deepStrictEqual([again.status, again.body.code], [404, "NOT_FOUND"])
      assert.deepStrictEqual((yield* manifest).rosters, [])
      assert.strictEqual((yield* request("GET", "/api/config/agent-profiles/relay-scout")).status, 200)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("has an end", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(Array.from({ length: rosterLimit }), (_, n) => bring(`t${n}`), {
        concurrency: "unbounded"
      })
      const one = yield* Effect.either(bring("more"))
      assert.strictEqual(one._tag === "Left" ? one.left._tag : one._tag, "RosterLimitReached")
    }).pipe(Effect.provide(world()))
  )
})
