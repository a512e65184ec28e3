import { Clock, Effect, ParseResult, Schema } from "effect"

/** A point in time on the wire: ISO 8601 in UTC with milliseconds, e.g. `2026-11-21T09:30:00.000Z`. */
export const Timestamp = Schema.String.annotations({
  identifier: "Timestamp",
  description: "A point in time, ISO 8601 in UTC",
  jsonSchema: { type: "string", format: "date-time" }
})

/** Milliseconds since the epoch as a wire timestamp. */
export const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Now, in milliseconds since the epoch. Tests step it with TestClock. */
export const now = Clock.currentTimeMillis

/** Now, as a wire timestamp. */
export const nowIso = Effect.map(now, iso)

const instantPattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/

/** Whether a day stands in the calendar. JavaScript takes the 30th of February for the 2nd of March. */
const exists = (date: string): boolean => {
  const midnight = Date.parse(`${date}T00:00Z`)
  return !Number.isNaN(midnight) && iso(midnight).startsWith(date)
}

/**
 * Milliseconds since the epoch of a date, or a date with time, in ISO 8601; a time without a zone is UTC. Undefined for
 * anything else, and for a day or a time that does not exist: `2026-02-30`, `24:00`.
 */
export const parseInstant = (text: string): number | undefined => {
  const [, date, time = "00:00", zone = "Z"] = instantPattern.exec(text.trim()) ?? []
  if (date === undefined || !exists(date) || time.startsWith("24")) return undefined
  const milliseconds = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}

/** Milliseconds since the epoch of a year that has four digits, so that every one of them has a wire form. */
const Milliseconds = Schema.Int.pipe(Schema.between(-62_167_219_200_000, 253_402_300_799_999))

/** A timestamp as clients send it. Decodes to milliseconds since the epoch. */
export const Instant = Schema.transformOrFail(Schema.String, Milliseconds, {
  strict: true,
  decode: (text, _, ast) => {
    const milliseconds = parseInstant(text)
    return milliseconds === undefined
      ? ParseResult.fail(new ParseResult.Type(ast, text, "Expected an ISO 8601 date and time"))
      : ParseResult.succeed(milliseconds)
  },
  encode: (milliseconds) => ParseResult.succeed(iso(milliseconds))
}).annotations({ jsonSchema: { type: "string", format: "date-time" } })
