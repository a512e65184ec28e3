import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { fits, usageOf, withTaken } from "../../../src/governance/capacity/Capacity.ts"
import { ordered, plan, rankOf, type Waiting } from "../../../src/governance/capacity/Schedule.ts"
import { demand, limits, line, order } from "./Arbitraries.ts"

const minute = 60_000
const scheduler = { agePromotionMs: 5 * minute, maxPromotions: 3 }
const now = { at: 60 * minute, scheduler, turns: new Map<string, number>() }
const none = { runs: null, processes: null, memoryMb: null }
const oneRun = { global: { ...none, runs: 1 }, workspace: none, provider: none, host: none }

const waits = (seq: number, more: Partial<Waiting> = {}): Waiting => ({
  seq,
  priority: 1,
  enqueuedAt: now.at,
  workspaceId: "w1",
  provider: "command",
  hostId: "h1",
  capacity: { runs: 1, processes: 1, memoryMb: 0 },
  ...more
})

const seqs = (entries: ReadonlyArray<Waiting>): ReadonlyArray<number> => entries.map(({ seq }) => seq)

describe("the order of those who wait", () => {
  it("serves the higher priority first, and equals as they came", () => {
    assert.deepStrictEqual(
      seqs(ordered([waits(1), waits(2, { priority: 3 }), waits(3), waits(4, { priority: 3 })], now)),
      [2, 4, 1, 3]
    )
  })

  it("raises a priority by a step for each period, three times at the most", () => {
    const rankAfter = (minutes: number) =>
      rankOf({ priority: 0, enqueuedAt: now.at - minutes * minute }, { at: now.at, scheduler })
    assert.deepStrictEqual([0, 4, 5, 10, 15, 600].map(rankAfter), [0, 0, 1, 2, 3, 3])
    const flat = { at: now.at, scheduler: { ...scheduler, maxPromotions: 1 } }
    assert.strictEqual(rankOf({ priority: 0, enqueuedAt: 0 }, flat), 1)
  })

  it("lets what is old and low go before what is new and critical", () => {
    const old = waits(1, { priority: 0, enqueuedAt: now.at - 15 * minute })
    assert.deepStrictEqual(seqs(ordered([waits(2, { priority: 3 }), old], now)), [1, 2])
  })

  it("lets workspaces take turns, whoever was served longest ago first", () => {
    const two = [waits(1), waits(2), waits(3, { workspaceId: "w2" }), waits(4, { workspaceId: "w2" })]
    assert.deepStrictEqual(seqs(ordered(two, now)), [1, 3, 2, 4])
    const served = { ...now, turns: new Map([["w1", 7]]) }
    assert.deepStrictEqual(seqs(ordered(two, served)), [3, 1, 4, 2])
  })

  it("is total, and does not depend on how the entries are given", () => {
    fc.assert(
      fc.property(line, order, fc.integer(), (entries, by, seed) => {
        const sorted = seqs(ordered(entries, by))
        assert.sameMembers(
          [...sorted],
          entries.map(({ seq }) => seq)
        )
        const shuffled = entries.toSorted((one, other) => ((one.seq * seed) % 7) - ((other.seq * seed) % 7))
        assert.deepStrictEqual(seqs(ordered(shuffled, by)), sorted)
      })
    )
  })

  it("lets nobody of the same workspace who comes later precede one who has waited for all promotions", () => {
    fc.assert(
      fc.property(line, order, (entries, by) => {
        const full = { ...by, scheduler: { ...by.scheduler, maxPromotions: 3 } }
        const sorted = ordered(entries, full)
        for (const [place, old] of sorted.entries()) {
          if (full.at - old.enqueuedAt < 3 * full.scheduler.agePromotionMs) continue
          const before = sorted.slice(0, place).filter(({ workspaceId }) => workspaceId === old.workspaceId)
          for (const { seq } of before) assert.isBelow(seq, old.seq)
        }
      })
    )
  })
})

describe("the plan of who starts", () => {
  it("never goes above a limit, and leaves nobody out", () => {
    fc.assert(
      fc.property(
        limits,
        fc.array(demand, { maxLength: 10 }),
        line,
        order,
        (chosen, running, entries, by) => {
          const { denied, starting, waiting } = plan(chosen, usageOf(running), entries, by)
          let usage = usageOf(running)
          for (const one of starting) {
            assert.isEmpty(fits(chosen, usage, one))
            usage = withTaken(usage, [one])
          }
          const all = [...starting, ...denied.map(([one]) => one), ...waiting.map(([one]) => one)]
          assert.sameMembers(
            [...seqs(all)],
            entries.map(({ seq }) => seq)
          )
          for (const [, scopes] of [...denied, ...waiting]) assert.isNotEmpty(scopes)
        }
      )
    )
  })

  it("lets small ones use what a large one can't, until the large one is overdue", () => {
    const large = { capacity: { runs: 1, processes: 1, memoryMb: 100 } }
    const room = { ...oneRun, global: { ...none, memoryMb: 100 } }
    const running = usageOf([{ ...waits(0), capacity: { runs: 1, processes: 1, memoryMb: 50 } }])
    const small = waits(2, { capacity: { runs: 1, processes: 1, memoryMb: 50 } })
    const young = waits(1, { ...large, enqueuedAt: now.at - 19 * minute })
    assert.deepStrictEqual(seqs(plan(room, running, [young, small], now).starting), [2])
    const overdue = waits(1, { ...large, enqueuedAt: now.at - 20 * minute })
    assert.deepStrictEqual(plan(room, running, [overdue, small], now).starting, [])
    assert.deepStrictEqual(seqs(plan(room, usageOf([]), [overdue, small], now).starting), [1])
  })

  it("names those who can never start", () => {
    const { denied } = plan({ ...oneRun, host: { ...none, runs: 0 } }, usageOf([]), [waits(1)], now)
    assert.deepStrictEqual(denied, [[waits(1), [{ scope: "host", scopeId: "h1" }]]])
  })

  it("serves everybody within a bound, however many of a higher priority keep coming", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 2 }),
        (maxPromotions, priority) => {
          const by = { agePromotionMs: 10, maxPromotions: Math.max(maxPromotions, 3 - priority) }
          const patient = waits(1, { priority, enqueuedAt: 0 })
          let line: ReadonlyArray<Waiting> = [patient]
          let ended: number | undefined
          for (let at = 0; at < 200 && ended === undefined; at++) {
            // A run ends and two critical ones come, at each step.
            line = [
              ...line,
              waits(2 * at + 2, { priority: 3, enqueuedAt: at }),
              waits(2 * at + 3, { priority: 3, enqueuedAt: at })
            ]
            const [served] = plan(oneRun, usageOf([]), line, { at, scheduler: by, turns: new Map() }).starting
            if (served?.seq === 1) ended = at
            line = line.filter(({ seq }) => seq !== served?.seq)
          }
          assert.isAtMost(ended ?? 200, 10 * (3 - priority))
        }
      )
    )
  })
})
