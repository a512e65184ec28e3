import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { integerText } from "./Text.ts"

/** How many members a list has at the most when the query has no `limit`. */
export const defaultLimit = 100

/** The `limit` of a list: 1 to 1,000 members, 100 when it is absent. */
export const Limit = integerText(1, 1_000).annotations({
  description: `How many members to list at the most, ${defaultLimit} when absent`
})

/** A page of a list; `total` counts the members of the whole list. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

/** Answers with a bare array; the size of the whole list stands in `X-Total-Count`. */
export const respondPage = <A>({ items, total }: Page<A>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.unsafeJson(items, { headers: { "x-total-count": String(total) } })
