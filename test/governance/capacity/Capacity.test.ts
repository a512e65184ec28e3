import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { defaultAdmission } from "../../../src/board/settings/AdmissionSettings.ts"
import { capacityOf } from "../../../src/governance/capacity/AdmissionRequest.ts"
import {
  type Demand,
  evaluated,
  fits,
  neverFits,
  usageOf,
  withTaken
} from "../../../src/governance/capacity/Capacity.ts"
import { demand, limits } from "./Arbitraries.ts"

const none = { runs: null, processes: null, memoryMb: null }
const unlimited = { global: none, workspace: none, provider: none, host: none }
const aRun: Demand = {
  workspaceId: "w1",
  provider: "command",
  hostId: "h1",
  capacity: { runs: 1, processes: 1, memoryMb: 0 }
}

describe("whether a run fits", () => {
  it("is a matter of every scope, and all that have no room are named", () => {
    const tight = { ...unlimited, global: { ...none, processes: 1 }, host: { ...none, runs: 1 } }
    const usage = usageOf([aRun])
    assert.deepStrictEqual(fits(tight, usage, aRun), [
      { scope: "global", scopeId: "global" },
      { scope: "host", scopeId: "h1" }
    ])
    assert.deepStrictEqual(fits(tight, usage, { ...aRun, hostId: "h2" }), [
      { scope: "global", scopeId: "global" }
    ])
    assert.deepStrictEqual(fits(unlimited, usage, aRun), [])
  })

  it("counts ten runs in a workspace unless somebody chooses otherwise", () => {
    const ten = usageOf(Array.from({ length: 10 }, () => aRun))
    assert.deepStrictEqual(fits(defaultAdmission.limits, ten, aRun), [{ scope: "workspace", scopeId: "w1" }])
    assert.deepStrictEqual(fits(defaultAdmission.limits, ten, { ...aRun, workspaceId: "w2" }), [])
  })

  it("lets nothing through where a limit is 0, and that never changes", () => {
    const closed = { ...unlimited, provider: { ...none, runs: 0 } }
    assert.deepStrictEqual(neverFits(closed, aRun), [{ scope: "provider", scopeId: "command" }])
    const large = { ...aRun, capacity: { ...aRun.capacity, memoryMb: 4_096 } }
    assert.deepStrictEqual(neverFits({ ...unlimited, global: { ...none, memoryMb: 4_095 } }, large), [
      { scope: "global", scopeId: "global" }
    ])
  })

  it("holds nobody up by what they do not ask for", () => {
    const closed = { ...unlimited, host: { ...none, memoryMb: 0 } }
    assert.deepStrictEqual(neverFits(closed, aRun), [])
  })

  it("takes a process for what this machine runs, and none for an external agent", () => {
    assert.deepStrictEqual(capacityOf({ provider: "command" }), { runs: 1, processes: 1, memoryMb: 0 })
    assert.deepStrictEqual(capacityOf({ provider: "gateway", memoryMb: 512 }), {
      runs: 1,
      processes: 0,
      memoryMb: 512
    })
  })

  it("never lets more be taken than a limit, however much is asked for", () => {
    fc.assert(
      fc.property(limits, fc.array(demand, { maxLength: 40 }), (chosen, all) => {
        let usage = usageOf([])
        for (const one of all) {
          if (fits(chosen, usage, one).length > 0) continue
          usage = withTaken(usage, [one])
          for (const { limits: most, taken } of evaluated(chosen, usage, one)) {
            if (one.capacity.runs > 0) assert.isAtMost(taken.runs, most.runs ?? taken.runs)
            if (one.capacity.processes > 0)
              assert.isAtMost(taken.processes, most.processes ?? taken.processes)
            if (one.capacity.memoryMb > 0) assert.isAtMost(taken.memoryMb, most.memoryMb ?? taken.memoryMb)
          }
        }
      })
    )
  })

  it("is never so when it never will be", () => {
    fc.assert(
      fc.property(limits, demand, fc.array(demand, { maxLength: 5 }), (chosen, one, others) => {
        if (neverFits(chosen, one).length > 0) assert.isNotEmpty(fits(chosen, usageOf(others), one))
      })
    )
  })
})
