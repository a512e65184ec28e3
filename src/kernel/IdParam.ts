import { Schema } from "effect"
import { lookedUp } from "./Incoming.ts"

/**
 * An id in a path or a body. Any text is accepted: an unknown id is a 404, not a 400. Rooms annotate what it is the id
 * of.
 */
export const IdParam = Schema.String.pipe(
  Schema.maxLength(200, { message: () => "Expected at most 200 characters" }),
  lookedUp
)
