import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"

/** The documents were read again: how many had changed, were embedded, and wait to be. */
export class SearchRefreshed extends Event("search.refreshed", "search", {
  updated: Schema.Int,
  embedded: Schema.Int,
  remaining: Schema.Int
}) {}
