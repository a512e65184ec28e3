import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { create, importanceBand } from "../../../src/board/observations/Observation.ts"

const origin = { id: "obs_1", taskId: "task_1", at: "2026-11-21T09:30:00.000Z", by: "codex" }

describe("the importance of an observation", () => {
  it("is low from 1 to 3, medium from 4 to 7 and high from 8 to 10", () => {
    const bands = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(importanceBand)
    expect(bands).toEqual([
      ...["low", "low", "low"],
      ...["medium", "medium", "medium", "medium"],
      ...["high", "high", "high"]
    ])
  })

  it("never falls to a lower band when it rises", () => {
    const order = ["low", "medium", "high"]
    const importance = FastCheck.integer({ min: 1, max: 10 })
    FastCheck.assert(
      FastCheck.property(importance, importance, (one, other) => {
        const bands = [Math.min(one, other), Math.max(one, other)].map((value) =>
          order.indexOf(importanceBand(value))
        )
        expect(bands).toEqual([...bands].sort())
      })
    )
  })
})

describe("a new observation", () => {
  it("is context of importance 5 when the draft leaves that open", () => {
    expect(create({ content: "The build needs Node 20" }, origin)).toEqual({
      id: "obs_1",
      taskId: "task_1",
      type: "context",
      content: "The build needs Node 20",
      importance: 5,
      importanceBand: "medium",
      createdAt: origin.at,
      createdBy: "codex"
    })
  })
})
