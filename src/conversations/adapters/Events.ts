import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { AdapterKind } from "./Adapter.ts"

const adapter = { kind: AdapterKind, enabled: Schema.Boolean }

export class AdapterCreated extends Event(
  "communication-adapter.created",
  "communication-adapter",
  adapter
) {}

export class AdapterUpdated extends Event(
  "communication-adapter.updated",
  "communication-adapter",
  adapter
) {}

/** It was switched off. */
export class AdapterDisconnected extends Event(
  "communication-adapter.disconnected",
  "communication-adapter",
  adapter
) {}

export class AdapterDeleted extends Event(
  "communication-adapter.deleted",
  "communication-adapter",
  adapter
) {}
