import { Schema } from "effect"

/** The adapter is switched off: nothing comes in through it. */
export class AdapterDisabled extends Schema.TaggedError<AdapterDisabled>()("AdapterDisabled", {
  adapterId: Schema.String
}) {}
