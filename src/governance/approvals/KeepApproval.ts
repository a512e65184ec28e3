import { Effect } from "effect"
import { type ActorContext, system } from "../../kernel/Actor.ts"
import type { Event } from "../../storage/events/Event.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import {
  factsOf,
  RunApprovalCancelled,
  RunApprovalDecided,
  RunApprovalExpired,
  RunApprovalRequested,
  RunApprovalUsed
} from "./Events.ts"
import type { RunApproval } from "./RunApproval.ts"
import * as RunApprovalRepo from "./RunApprovalRepo.ts"

/** Writes an approval as it is after a command, with what happened to it; nothing when nothing did. */
export const keep = (
  before: RunApproval,
  after: RunApproval,
  by: ActorContext
): Effect.Effect<void, never, Sql> =>
  before.revision === after.revision
    ? Effect.void
    : Effect.zipRight(
        RunApprovalRepo.update(before, after),
        Journal.record(eventOf(after), isDone(after) ? by : system)
      )

/** Whether somebody did it. That time runs out, and that a run has ended, nobody does. */
const isDone = ({ status }: RunApproval): boolean => status === "approved" || status === "rejected"

/** What happened last to an approval. */
const eventOf = (approval: RunApproval): Event => {
  const facts = factsOf(approval)
  switch (approval.status) {
    case "pending":
      return new RunApprovalRequested(facts)
    case "expired":
      return new RunApprovalExpired(facts)
    case "cancelled":
      return new RunApprovalCancelled(facts)
    default:
      return approval.usedAt === undefined
        ? new RunApprovalDecided({ ...facts, decision: approval.status })
        : new RunApprovalUsed(facts)
  }
}

/** Writes a new approval, which waits from now on. */
export const begin = (approval: RunApproval, by: ActorContext): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(RunApprovalRepo.insert(approval), Journal.record(eventOf(approval), by))
