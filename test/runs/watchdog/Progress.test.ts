import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { advance, isRepetition, type Streak } from "../../../src/runs/watchdog/Repetition.ts"
import { isSilent, nextSilence, silenceMs } from "../../../src/runs/watchdog/Silence.ts"

const call = (name: string, input: unknown) => ({ kind: "tool_call", payload: { id: "1", name, input } })

/** The places in a history at which a repetition is found, from 1. */
const repetitions = (facts: ReadonlyArray<{ readonly kind: string; readonly payload: unknown }>) => {
  let streak: Streak | undefined
  return facts.flatMap((fact, index) => {
    const before = streak
    streak = advance(streak, fact)
    return streak !== undefined && streak !== before && isRepetition(streak) ? [index + 1] : []
  })
}

describe("a repetition", () => {
  const test = call("Bash", { command: "npm test" })

  it("is the fifth equal call in a row, whatever stands between the calls, and is found once while it goes on", () => {
    const result = { kind: "tool_result", payload: { id: "1", output: "failed" } }
    assert.deepStrictEqual(repetitions(Array(20).fill([test, result]).flat()), [9])
    const other = call("Bash", { command: "npm run test" })
    const twice = [...Array(7).fill(test), other, ...Array(4).fill(test), other, ...Array(5).fill(test)]
    assert.deepStrictEqual(repetitions(twice), [5, 18])
  })

  it("takes the same name and the same input, and nothing is one that is no call", () => {
    const four = Array(4).fill(test)
    for (const last of [
      call("Read", { command: "npm test" }),
      call("Bash", { command: "npm test " }),
      call("Bash", undefined),
      { kind: "message", payload: { name: "Bash", input: { command: "npm test" } } },
      { kind: "tool_call", payload: null },
      { kind: "tool_call", payload: { input: { command: "npm test" } } },
      { kind: "tool_call", payload: { name: 5 } }
    ]) {
      assert.deepStrictEqual(repetitions([...four, last]), [], JSON.stringify(last))
    }
    assert.deepStrictEqual(repetitions(Array(5).fill(call("Wait", undefined))), [5])
  })

  it("is found exactly where a count by hand finds it", () => {
    const names = FastCheck.array(FastCheck.constantFrom("a", "b"), { maxLength: 60 })
    FastCheck.assert(
      FastCheck.property(names, (called) => {
        const expected = called.flatMap((name, index) =>
          index >= 4 &&
          called.slice(index - 4, index + 1).every((one) => one === name) &&
          called[index - 5] !== name
            ? [index + 1]
            : []
        )
        const found = repetitions(called.map((name) => call(name, {})))
        // A run of ten is one repetition: by hand, the fifth of each run.
        assert.deepStrictEqual(found, expected)
      })
    )
  })
})

describe("a silence", () => {
  const runs = FastCheck.array(
    FastCheck.nat(2_000_000).map((heardAt) => ({ taskId: "t", attemptId: "a", lastSequence: 1, heardAt }))
  )

  it("is never missed between two looks: nobody becomes silent before the next one", () => {
    FastCheck.assert(
      FastCheck.property(runs, FastCheck.nat(600_000), (heard, later) => {
        const at = 2_000_000
        const next = nextSilence(heard, at)
        assert.isTrue(next > at && next <= at + silenceMs)
        const before = Math.min(next - 1, at + later)
        for (const run of heard) assert.strictEqual(isSilent(run, before), isSilent(run, at))
      })
    )
  })
})
