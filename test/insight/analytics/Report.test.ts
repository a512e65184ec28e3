import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc, Schema } from "effect"
import { dateOf, daysAsked, PeriodQuery } from "../../../src/insight/analytics/Period.ts"
import { healthOf } from "../../../src/insight/analytics/Report.ts"

/** Noon on 21 November 2026. */
const noon = Date.parse("2026-11-21T12:00:00Z")

const asked = (query: Readonly<Record<string, string>>) =>
  Either.map(
    Either.flatMap(Schema.decodeUnknownEither(PeriodQuery)(query), (decoded) => daysAsked(decoded, noon)),
    ({ first, last }) => [dateOf(first), dateOf(last)]
  )

const refusal = (query: Readonly<Record<string, string>>) => {
  const days = asked(query)
  return Either.isLeft(days) && "issues" in days.left ? days.left.issues : Either.isLeft(days)
}

describe("the days of an answer", () => {
  it.each([
    [{}, "2026-10-23", "2026-11-21"],
    [{ period: "today" }, "2026-11-21", "2026-11-21"],
    [{ period: "week" }, "2026-11-15", "2026-11-21"],
    [{ period: "2w" }, "2026-11-08", "2026-11-21"],
    [{ period: "366d" }, "2025-11-21", "2026-11-21"],
    [{ period: "3d", to: "2024-03-01" }, "2024-02-28", "2024-03-01"],
    [{ from: "2026-11-20T23:59:59Z" }, "2026-11-20", "2026-11-21"],
    [{ from: "2026-11-20T23:00:00-02:00", to: "2026-12-31" }, "2026-11-21", "2026-12-31"]
  ])("%j are %s to %s", (query, from, to) => {
    assert.deepStrictEqual(asked(query), Either.right([from, to]))
  })

  it.each([
    [{ period: "week", from: "2026-11-01" }, "period", "Say either period or from"],
    [{ from: "2026-11-22" }, "from", "Expected a day that is not after the last one"],
    [{ from: "2025-11-20" }, "from", "Expected at most 366 days in all"],
    [{ from: "1969-12-31" }, "from", "Expected a day from 1970 on"],
    [{ to: "1970-01-02" }, "to", "Expected a day from 1970 on"]
  ])("are not %j", (query, path, message) => {
    assert.deepStrictEqual(refusal(query), [{ path, message }])
  })

  it.each(["0d", "367d", "53w", "1.5d", "-1d", "d", "", "constructor", "7 d"])(
    "are no period of %j",
    (period) => {
      assert.isTrue(refusal({ period }))
    }
  )
})

const work = fc
  .tuple(fc.nat(50), fc.nat(50))
  .chain(([wip, blocked]) =>
    fc.record({ wip: fc.constant(wip), blocked: fc.constant(blocked), stale: fc.nat(wip + blocked) })
  )

describe("the health of a board", () => {
  it.each([
    [{ wip: 0, blocked: 0, stale: 0 }, 100, "healthy"],
    [{ wip: 5, blocked: 0, stale: 2 }, 80, "healthy"],
    [{ wip: 3, blocked: 2, stale: 1 }, 70, "at-risk"],
    [{ wip: 0, blocked: 1, stale: 0 }, 50, "at-risk"],
    [{ wip: 0, blocked: 2, stale: 1 }, 25, "unhealthy"],
    [{ wip: 0, blocked: 4, stale: 4 }, 0, "unhealthy"]
  ])("of %j is %s, %s", (found, score, status) => {
    assert.deepStrictEqual(healthOf(found), { ...found, score, status })
  })

  it("is from 0 to 100, and no better when something gets stuck", () => {
    fc.assert(
      fc.property(work, (found) => {
        const { score } = healthOf(found)
        assert.isTrue(score >= 0 && score <= 100)
        const { blocked, stale, wip } = found
        if (stale < wip + blocked) assert.isAtMost(healthOf({ ...found, stale: stale + 1 }).score, score)
        if (wip > 0) assert.isAtMost(healthOf({ ...found, wip: wip - 1, blocked: blocked + 1 }).score, score)
      })
    )
  })
})
