import { Schema } from "effect"
import { AdapterKind } from "./Adapter.ts"

/** No adapter has this id. */
export class AdapterNotFound extends Schema.TaggedError<AdapterNotFound>()("AdapterNotFound", {
  adapterId: Schema.String
}) {}

/** The configuration contradicts itself, or holds what it must not. */
export class AdapterRefused extends Schema.TaggedError<AdapterRefused>()("AdapterRefused", {
  issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
}) {}

/** The route, or the body, is for adapters of the other kind. */
export class AdapterOfOtherKind extends Schema.TaggedError<AdapterOfOtherKind>()("AdapterOfOtherKind", {
  adapterId: Schema.String,
  kind: AdapterKind
}) {}

/**
 * The adapter is not deleted: it is switched on, or messages are still on their way through it: `openDeliveries` of
 * them.
 */
export class AdapterInUse extends Schema.TaggedError<AdapterInUse>()("AdapterInUse", {
  adapterId: Schema.String,
  enabled: Schema.Boolean,
  openDeliveries: Schema.Int
}) {}

/** The board has as many adapters as it can. */
export class AdapterLimitReached extends Schema.TaggedError<AdapterLimitReached>()("AdapterLimitReached", {
  limit: Schema.Int
}) {}
