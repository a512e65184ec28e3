import { Schema } from "effect"

/** No agent is registered under this id. */
export class RegistrationNotFound extends Schema.TaggedError<RegistrationNotFound>()("RegistrationNotFound", {
  agentId: Schema.String
}) {}

/** The entry belongs to an agent of another name. */
export class EntryNotOwn extends Schema.TaggedError<EntryNotOwn>()("EntryNotOwn", {
  requiredPermission: Schema.Literal("agent:write")
}) {}

/** As many agents are registered as can be, and all were heard of within a day. */
export class RegistryFull extends Schema.TaggedError<RegistryFull>()("RegistryFull", {
  limit: Schema.Int
}) {}
