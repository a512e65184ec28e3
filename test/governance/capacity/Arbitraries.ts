import { FastCheck as fc } from "effect"
import type { Limits } from "../../../src/board/settings/AdmissionSettings.ts"
import type { Capacity, Demand } from "../../../src/governance/capacity/Capacity.ts"
import type { Order, Waiting } from "../../../src/governance/capacity/Schedule.ts"

const amount = fc.integer({ min: 0, max: 4 })
const capacity: fc.Arbitrary<Capacity> = fc.record({ runs: amount, processes: amount, memoryMb: amount })
const place = {
  workspaceId: fc.constantFrom("w1", "w2", "w3"),
  provider: fc.constantFrom("command", "gateway"),
  hostId: fc.constantFrom("h1", "h2")
}

/** Runs that ask for some capacity, in a few places. */
export const demand: fc.Arbitrary<Demand> = fc.record({ ...place, capacity })

const limit = fc.option(fc.integer({ min: 0, max: 8 }), { freq: 3 })
const scope = fc.record({ runs: limit, processes: limit, memoryMb: limit })

/** Limits, most of them none. */
export const limits: fc.Arbitrary<Limits> = fc.record({
  global: scope,
  workspace: scope,
  provider: scope,
  host: scope
})

/** The end of the hour in which everybody began to wait. */
export const at = 3_600_000

/** Those who wait, each with a place of their own in the order of arrival. */
export const line: fc.Arbitrary<ReadonlyArray<Waiting>> = fc
  .array(
    fc.record({
      ...place,
      capacity,
      priority: fc.integer({ min: 0, max: 3 }),
      enqueuedAt: fc.integer({ min: 0, max: at })
    }),
    { maxLength: 30 }
  )
  .map((waiting) =>
    waiting
      .toSorted((one, other) => one.enqueuedAt - other.enqueuedAt)
      .map((one, index) => ({ ...one, seq: index + 1 }))
  )

export const order: fc.Arbitrary<Order> = fc.record({
  at: fc.constant(at),
  scheduler: fc.record({
    agePromotionMs: fc.integer({ min: 1, max: 1_000_000 }),
    maxPromotions: fc.integer({ min: 0, max: 3 })
  }),
  turns: fc
    .uniqueArray(fc.constantFrom("w1", "w2", "w3"))
    .map((served) => new Map(served.map((workspaceId, index) => [workspaceId, index + 1])))
})
