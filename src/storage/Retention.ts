import type { Effect } from "effect"
import type { Sql } from "./Sql.ts"

/** What is kept: all that is younger than so many days, and the last so many that came, whatever their age. */
export interface Span {
  readonly days: number
  readonly count: number
}

/** What a row must be to go: both. */
export interface Past {
  /** It is older than this, in milliseconds since the epoch. */
  readonly before: number
  /** At least so many came after it. */
  readonly newest: number
}

/**
 * How long rows of one kind are kept. Rooms declare theirs, districts hand them on, and one worker keeps to them; an
 * operator may choose other spans by their names.
 */
export interface Retention {
  /** What is kept, in the plural: `telemetry`. */
  readonly name: string
  readonly span: Span
  /**
   * Looks at the oldest rows, so many of them, and takes away what lies in the past. Gives how many it was done with:
   * fewer than it was asked for when the rest is not old enough yet.
   */
  readonly forget: (past: Past, size: number) => Effect.Effect<number, never, Sql>
  /**
   * The resource whose events go without a trace, because each is the only one of its stream and nobody follows those.
   * Of all other streams the newest event that is old enough to go stays.
   */
  readonly passing?: string
}

/** What an operator chooses, by the name of what is kept. */
export type Spans = Readonly<Record<string, { readonly [side in keyof Span]?: number | undefined }>>
