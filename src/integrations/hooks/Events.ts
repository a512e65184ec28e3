import { Schema } from "effect"
import { Event } from "../../storage/events/Event.ts"
import { HookEvent } from "./definitions/Hook.ts"

const hook = { event: HookEvent, enabled: Schema.Boolean }

export class HookCreated extends Event("hook.created", "hook", hook) {}

export class HookUpdated extends Event("hook.updated", "hook", hook) {}

export class HookDeleted extends Event("hook.deleted", "hook", hook) {}

/** A hook was fired by hand. The stream is the hook's, or the event's when all hooks that wait for it were fired. */
export class HookFired extends Event("hook.fired", "hook", { deliveries: Schema.Int }) {}
