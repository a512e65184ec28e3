import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { message } from "../../support/relay/Drafts.ts"
import { type SignedEvent, seconds } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import type { RelayOptions } from "../../support/relay/Settings.ts"
import { adapterBody, alice, bridgeWorld, channel, eventually, routes } from "./Bridged.ts"

const idsHere = Effect.flatMap(Storage, ({ select }) =>
  Effect.map(
    select<{ id: string }>(sql`SELECT id FROM squad_messages WHERE id LIKE 'msg_relay_%' ORDER BY seq`),
    (found) => found.map(({ id }) => id.slice("msg_relay_".length))
  )
)

const oldestFirst = (a: SignedEvent, b: SignedEvent) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1)

/** Connects to a relay that has a history; gives what the bridge says of it when all is read. */
const read = (history: ReadonlyArray<SignedEvent>, options: RelayOptions = {}) =>
  Effect.gen(function* () {
    const there = yield* relay(options)
    yield* there.seed(history)
    const here = yield* routes
    yield* here.put(adapterBody(there.url))
    yield* here.map()
    const beganAt = seconds()
    const ids = yield* eventually(
      Effect.map(idsHere, (found) => ({ found, length: found.length })),
      ({ length }) => length >= history.length,
      30_000
    )
    const confirmed = Effect.flatMap(Storage, ({ select }) =>
      Effect.map(
        select<{ at: number }>(sql`SELECT confirmed_at AS at FROM relay_mappings`),
        ([found]) => found?.at ?? 0
      )
    )
    yield* eventually(confirmed, (at) => at >= beganAt)
    assert.deepStrictEqual(
      [...ids.found].sort(),
      history.map(({ id }) => id).sort(),
      "each message is here once"
    )
    return { ids: ids.found, there, here }
  })

const write = (count: number, at: (n: number) => number, content: (n: number) => string = String) =>
  Array.from({ length: count }, (_, n) => message({ by: alice, channel, content: content(n), at: at(n) }))

/** Most of them one a second, and 300 in one. */
const crowded = () => {
  const start = seconds() - 1_100
  return write(1_500, (n) => (n < 300 ? start + 100 : start + (n % 900)))
}

const proof = (
  name: string,
  check: () => Effect.Effect<unknown, never, Effect.Effect.Context<ReturnType<typeof read>> | Scope.Scope>
) => it.scopedLive(name, () => Effect.provide(check(), bridgeWorld()), { timeout: 60_000 })

describe("A history behind a relay's cap", () => {
  proof("is read whole and in its order at a relay that continues within a second", () =>
    Effect.gen(function* () {
      const history = crowded()
      const { ids } = yield* read(history)
      assert.deepStrictEqual(
        ids,
        [...history].sort(oldestFirst).map(({ id }) => id)
      )
    })
  )

  proof("is read whole at a relay that only knows times, also where 300 share a second", () =>
    read(crowded(), { beforeId: false })
  )

  proof("is read in small pages when the messages are large", () =>
    Effect.gen(function* () {
      const start = seconds() - 1_000
      const large = write(
        100,
        (n) => start + n * 3,
        (n) => `${n} ${"x".repeat(65_000)}`
      )
      const { there } = yield* read(large)
      const refused = there.journal.http.filter(
        ({ path, body }) => path === "/query" && body.includes('"limit":200')
      )
      assert.isAbove(refused.length, 0, "the first question was too greedy")
    })
  )

  proof("is halved until a window is small enough", () =>
    Effect.gen(function* () {
      const start = seconds() - 1_100
      yield* read(write(2_300, (n) => start + (n % 1_000)))
    })
  )

  proof("keeps its cursor before a second that the relay can't give whole", () =>
    Effect.gen(function* () {
      const there = yield* relay({ beforeId: false, pageCap: 100 })
      const start = seconds() - 600
      yield* there.seed(write(150, () => start))
      yield* there.seed(write(50, (n) => start + 10 + n))
      const here = yield* routes
      yield* here.put(adapterBody(there.url))
      yield* here.map()
      yield* eventually(idsHere, (found) => found.length >= 150)
      const health = yield* eventually(here.health, ({ reasonCode }) => reasonCode === "history_gap")
      assert.strictEqual(health.status, "degraded")
      const [row] = yield* Effect.flatMap(Storage, ({ select }) =>
        select<{ at: number | null; confirmedAt: number; createdAt: number }>(
          sql`SELECT cursor_at AS at, confirmed_at AS confirmedAt, created_at / 1000 AS createdAt FROM relay_mappings`
        )
      )
      assert.strictEqual(row?.at, null)
      assert.strictEqual(row?.confirmedAt, row?.createdAt)
    })
  )
})
