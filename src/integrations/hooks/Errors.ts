import { Schema } from "effect"

/** No hook has this id. */
export class HookNotFound extends Schema.TaggedError<HookNotFound>()("HookNotFound", {
  hookId: Schema.String
}) {}

/** The URL of the action may not be called, or a secret of it may not go there. */
export class HookUrlRefused extends Schema.TaggedError<HookUrlRefused>()("HookUrlRefused", {
  issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
}) {}

/** The board already has the most hooks that it can have: `limit` of them. */
export class HookLimitReached extends Schema.TaggedError<HookLimitReached>()("HookLimitReached", {
  limit: Schema.Int
}) {}
