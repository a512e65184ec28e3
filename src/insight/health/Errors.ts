import { Schema } from "effect"

/** No circuit has this key. */
export class CircuitNotFound extends Schema.TaggedError<CircuitNotFound>()("CircuitNotFound", {
  circuitKey: Schema.String
}) {}

/** Nobody has overridden this circuit, or the override has expired. */
export class CircuitOverrideNotFound extends Schema.TaggedError<CircuitOverrideNotFound>()(
  "CircuitOverrideNotFound",
  { circuitKey: Schema.String }
) {}

/** No more circuits can be overridden at once. */
export class CircuitOverrideLimitReached extends Schema.TaggedError<CircuitOverrideLimitReached>()(
  "CircuitOverrideLimitReached",
  { limit: Schema.Int }
) {}
