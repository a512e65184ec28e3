import { Either, ParseResult, Schema } from "effect"
import { Instant, iso } from "../../kernel/Time.ts"
import { PeriodInvalid } from "./Errors.ts"

const millisecondsOfDay = 86_400_000

/** The most days that one answer covers. */
export const dayLimit = 366

/** How many days an answer covers when the query does not say. */
export const defaultDays = 30

/** The day of a point in time in UTC, counted from 1970. */
export const dayOf = (milliseconds: number): number => Math.floor(milliseconds / millisecondsOfDay)

/** A day as it stands on the wire, e.g. `2026-11-21`. */
export const dateOf = (day: number): string => iso(day * millisecondsOfDay).slice(0, 10)

const named = new Map([
  ["today", 1],
  ["week", 7],
  ["month", 30],
  ["quarter", 90],
  ["year", 365]
])

/** How many days a client means. */
const daysOf = (text: string): number | undefined => {
  const [, count, unit] = /^([1-9]\d{0,2})([dw])$/.exec(text) ?? []
  return count === undefined ? named.get(text) : Number(count) * (unit === "w" ? 7 : 1)
}

const names = [...named.keys()].join(", ")

/** A number of days as clients send it: `30d`, `2w` or a word. */
export const Period = Schema.transformOrFail(Schema.String, Schema.Int, {
  strict: true,
  decode: (text, _, ast) => {
    const days = daysOf(text)
    return days !== undefined && days <= dayLimit
      ? ParseResult.succeed(days)
      : ParseResult.fail(new ParseResult.Type(ast, text))
  },
  encode: (days) => ParseResult.succeed(`${days}d`)
}).annotations({
  message: () => `Expected days or weeks such as 7d or 2w, at most ${dayLimit} days, or one of ${names}`,
  jsonSchema: {
    type: "string",
    description: `Days or weeks up to the last day, such as 7d or 2w, or one of ${names}; ${defaultDays}d when absent`
  }
})

/** A day as clients send it: a date, or any time of it. */
const Day = (description: string) =>
  Instant.annotations({
    message: () => "Expected a date such as 2026-11-21, or a date and time in ISO 8601",
    jsonSchema: { type: "string", description }
  })

/** Which days an answer covers; either `period` or `from` says how many. */
export const PeriodQuery = Schema.Struct({
  period: Schema.optional(Period),
  from: Schema.optional(Day("The first day in UTC, as a date or a time of it; instead of period")),
  to: Schema.optional(Day("The last day in UTC, as a date or a time of it; today when absent"))
})
export type PeriodQuery = typeof PeriodQuery.Type

/** Days from a first to a last one, both included. */
export interface Days {
  readonly first: number
  readonly last: number
}

/** The days that a query asks for, seen from now. */
export const daysAsked = (
  { from, period, to }: PeriodQuery,
  now: number
): Either.Either<Days, PeriodInvalid> => {
  const last = dayOf(to ?? now)
  const first = from === undefined ? last - (period ?? defaultDays) + 1 : dayOf(from)
  const refuse = (path: string, message: string) =>
    Either.left(new PeriodInvalid({ issues: [{ path, message }] }))
  if (from !== undefined && period !== undefined) return refuse("period", "Say either period or from")
  if (first < 0) return refuse(from === undefined ? "to" : "from", "Expected a day from 1970 on")
  if (first > last) return refuse("from", "Expected a day that is not after the last one")
  if (last - first >= dayLimit) return refuse("from", `Expected at most ${dayLimit} days in all`)
  return Either.right({ first, last })
}
