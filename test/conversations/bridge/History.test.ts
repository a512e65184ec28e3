import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { message } from "../../support/relay/Drafts.ts"
import { type SignedEvent, seconds } from "../../support/relay/Keys.ts"
import { relay } from "../../support/relay/Relay.ts"
import type { TestRelay } from "../../support/relay/TestRelay.ts"
import { adapterBody, alice, bridgeWorld, channel, eventually, routes } from "../relay/Bridged.ts"

const idsHere = Effect.flatMap(Storage, ({ select }) =>
  Effect.map(
    select<{ id: string }>(sql`SELECT id FROM squad_messages WHERE id LIKE 'msg_relay_%' ORDER BY seq`),
    (found) => found.map(({ id }) => id.slice("msg_relay_".length))
  )
)

const oldestFirst = (a: SignedEvent, b: SignedEvent) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1)

/** Connects a new board to a relay; gives the messages in the order in which they came in, when all is confirmed. */
const read = (there: TestRelay, expected: number) =>
  Effect.gen(function* () {
    const here = yield* routes
    const beganAt = seconds()
    yield* here.put(adapterBody(there.url))
    yield* here.map()
    yield* eventually(idsHere, ({ length }) => length >= expected)
    yield* eventually(cursor, ({ confirmedAt, at }) => confirmedAt >= beganAt && at !== null)
    const ids = yield* idsHere
    assert.strictEqual(ids.length, expected)
    assert.strictEqual(new Set(ids).size, expected, "each message is here once")
    return ids
  }).pipe(Effect.provide(bridgeWorld()))

const cursor = Effect.flatMap(Storage, ({ select }) =>
  Effect.map(
    select<{ at: number | null; confirmedAt: number; createdAt: number }>(
      sql`SELECT cursor_at AS at, confirmed_at AS confirmedAt, created_at / 1000 AS createdAt FROM relay_mappings`
    ),
    ([found]) => found ?? { at: null, confirmedAt: 0, createdAt: 0 }
  )
)

const write = (count: number, at: (n: number) => number, content: (n: number) => string = String) =>
  Array.from({ length: count }, (_, n) => message({ by: alice, channel, content: content(n), at: at(n) }))

/** Most of them one a second, and 300 in one. */
const crowded = () => {
  const start = seconds() - 1_100
  return write(1_500, (n) => (n < 300 ? start + 100 : start + (n % 900)))
}

const inOrder = (events: ReadonlyArray<SignedEvent>) => [...events].sort(oldestFirst).map(({ id }) => id)

describe("A history behind a relay's cap", () => {
  it.scopedLive(
    "is read whole and in its order, with the way into a second and without it, and in halves when it is long",
    () =>
      Effect.gen(function* () {
        const there = yield* relay()
        const history = crowded()
        yield* there.seed(history)
        assert.deepStrictEqual(yield* read(there, 1_500), inOrder(history))
        yield* there.set({ beforeId: false })
        assert.deepStrictEqual(yield* read(there, 1_500), inOrder(history))

        const more = write(
          700,
          (n) => seconds() - 1_000 + n,
          (n) => `more ${n}`
        )
        yield* there.seed(more)
        assert.deepStrictEqual(yield* read(there, 2_200), inOrder([...history, ...more]))
      })
  )

  it.scopedLive("is read in small pages when the messages are large", () =>
    Effect.gen(function* () {
      const there = yield* relay()
      const start = seconds() - 1_000
      const large = write(
        100,
        (n) => start + n * 3,
        (n) => `${n} ${"x".repeat(65_000)}`
      )
      yield* there.seed(large)
      assert.deepStrictEqual(yield* read(there, 100), inOrder(large))
      const limits = there.journal.http.map(({ body }) => /"limit":(\d+)/.exec(body)?.[1])
      assert.includeMembers(limits, ["200", "50", "12"])
    })
  )

  it.scopedLive(
    "is read where a second holds more than fits with larger messages, in answers of the right size",
    () =>
      Effect.gen(function* () {
        const there = yield* relay({ beforeId: false })
        const start = seconds() - 600
        const large = write(
          60,
          (n) => start + n,
          (n) => `${n} ${"x".repeat(30_000)}`
        )
        const crowd = write(
          90,
          () => start + 100,
          (n) => `${n} ${"x".repeat(15_000)}`
        )
        yield* there.seed([...large, ...crowd])
        assert.deepStrictEqual(yield* read(there, 150), inOrder([...large, ...crowd]))
      })
  )

  it.scopedLive("keeps its cursor before a second that the relay can't give whole", () =>
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
      const { at, confirmedAt, createdAt } = yield* cursor
      assert.deepStrictEqual([at, confirmedAt], [null, createdAt])
    }).pipe(Effect.provide(bridgeWorld()))
  )
})
