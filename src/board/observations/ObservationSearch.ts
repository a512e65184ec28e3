import { Schema } from "effect"
import { soughtFor } from "../../kernel/Incoming.ts"
import { Limit } from "../../kernel/Paging.ts"
import { integerText, nonBlank } from "../../kernel/Text.ts"
import { Observation, ObservationType } from "./Observation.ts"

const Needle = nonBlank(500, soughtFor).annotations({
  description: "Text that the observation holds, taken literally, in upper or lower case"
})

/** The filters of `GET /observations`. All given ones must hold. */
export const ObservationFilter = Schema.Struct({
  q: Schema.optional(Needle),
  type: Schema.optional(ObservationType),
  limit: Schema.optional(Limit)
})

/** The query of `GET /observations/search`. */
export const ObservationSearch = Schema.Struct({
  query: Needle,
  limit: Schema.optional(
    integerText(1, 100).annotations({ description: "How many results to answer at the most, 20 when absent" })
  ),
  offset: Schema.optional(integerText(0, 10_000_000))
})

/** An observation that matches a search, with the title of its task. */
const ObservationMatch = Schema.Struct({ ...Observation.fields, taskTitle: Schema.String }).annotations({
  identifier: "ObservationMatch"
})

/** One page of what a search found; `total` counts all of it. */
export const ObservationMatches = Schema.Struct({
  success: Schema.Literal(true),
  results: Schema.Array(ObservationMatch),
  total: Schema.Int,
  limit: Schema.Int,
  offset: Schema.Int
}).annotations({ identifier: "ObservationMatches" })
