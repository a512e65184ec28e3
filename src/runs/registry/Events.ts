import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { AgentState } from "./Registration.ts"

const manifest = { manifestDigest: Schema.String }

/** An agent registered, for the first time or again. */
export class AgentRegistered extends Event("agent.registered", "agent-registration", manifest) {}

/** What an agent does has changed: a heartbeat that says what is known already is no event. */
export class AgentStateChanged extends Event("agent.state-changed", "agent-registration", {
  ...manifest,
  from: AgentState,
  to: AgentState,
  currentTaskId: Schema.NullOr(Schema.String)
}) {}

/** An agent was taken out; `forgotten`, when a new one took the place of one that was not heard of for long. */
export class AgentDeregistered extends Event("agent.deregistered", "agent-registration", {
  forgotten: Schema.Boolean
}) {}
