import { Schema } from "effect"
import { lookedUp } from "./Incoming.ts"

/**
 * An id as it comes in a path or a body: whatever it is, an unknown one is a 404. Rooms say in the description of what.
 */
export const IdParam = Schema.String.pipe(
  Schema.maxLength(200, { message: () => "Expected at most 200 characters" }),
  lookedUp
)
