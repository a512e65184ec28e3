import { Schema } from "effect"

/** The start names no agent, its caller is none, and none is configured as the default. */
export class NoAgentChosen extends Schema.TaggedError<NoAgentChosen>()("NoAgentChosen", {
  taskId: Schema.String
}) {}
