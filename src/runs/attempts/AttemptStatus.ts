import { Schema } from "effect"
import { CompletionStatus } from "../documents/Policies.ts"

/** Where an attempt stands: it waits for room, has got it and begins, runs, or is over and stays so. */
export const AttemptState = Schema.Literal("queued", "starting", "running", "ended")
export type AttemptState = typeof AttemptState.Type

/** What an attempt shows of where it stands: how it ended, once it did. */
export const AttemptStatus = Schema.Literal("queued", "running", ...CompletionStatus.literals)
export type AttemptStatus = typeof AttemptStatus.Type
