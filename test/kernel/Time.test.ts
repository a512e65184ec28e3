import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { iso, parseInstant } from "../../src/kernel/Time.ts"

describe("a date and time from outside", () => {
  it("is a point in time, in UTC unless it says otherwise", () => {
    for (const [text, at] of [
      ["2026-11-21", "2026-11-21T00:00:00.000Z"],
      ["2024-02-29", "2024-02-29T00:00:00.000Z"],
      ["2000-02-29T23:59:59.999999999Z", "2000-02-29T23:59:59.999Z"],
      [" 2026-11-21 09:30 ", "2026-11-21T09:30:00.000Z"],
      ["2026-11-21T09:30+02:00", "2026-11-21T07:30:00.000Z"],
      ["2026-11-21T09:30-0230", "2026-11-21T12:00:00.000Z"]
    ] as const) {
      const found = parseInstant(text)
      assert.strictEqual(found === undefined ? undefined : iso(found), at, text)
    }
  })

  it("is none when its day or its time does not exist", () => {
    for (const text of [
      "2026-02-29",
      "2026-02-30",
      "2026-04-31",
      "1900-02-29",
      "2026-02-30T10:00:00Z",
      "2026-02-30T10:00:00+02:00",
      "2026-11-21T24:00",
      "2026-11-21T23:60",
      "2026-12-31T23:59:60Z",
      "2026-11-21T10:00+25:00",
      "2026-11-21T10:00+00:60",
      "2026-00-10",
      "2026-13-01",
      "2026-01-00",
      "2026-01-32",
      "21.11.2026",
      "20261121",
      "2026-11-21Z",
      ""
    ]) {
      assert.isUndefined(parseInstant(text), text)
    }
  })

  it("comes back as it was told", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }), (date) => {
        assert.strictEqual(parseInstant(iso(date.getTime())), date.getTime())
        const day = iso(date.getTime()).slice(0, 10)
        assert.strictEqual(parseInstant(day), Date.parse(day))
      })
    )
  })
})
