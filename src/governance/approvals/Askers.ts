import { Context, Effect, type Scope } from "effect"
import type * as Worker from "../../kernel/Worker.ts"
import { eventReader } from "../../storage/events/Event.ts"
import type { OutboxEvent } from "../../storage/events/Outbox.ts"
import * as Projection from "../../storage/events/Projection.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Storage } from "../../storage/Storage.ts"
import { approvalStream, RunApprovalCancelled, RunApprovalDecided, RunApprovalExpired } from "./Events.ts"
import type { RequestKind, RunApproval } from "./RunApproval.ts"
import * as RunApprovalRepo from "./RunApprovalRepo.ts"

/*
 * Who asks for approvals, as this room sees them: what it wants to know of them, and how they hear what came of it. Rooms
 * of upper districts ask; none of them is known here.
 */

/** Whether the attempt that asked is still alive, and still the one that its approval is for. */
export class AskerAlive extends Context.Tag("muster/AskerAlive")<
  AskerAlive,
  (attemptId: string) => Effect.Effect<boolean, never, Sql>
>() {}

/** What came of a request: `approved`, `rejected`, `expired` or `cancelled`, and what an elicitation was answered. */
export interface ApprovalOutcome {
  readonly approval: RunApproval
  readonly responseData?: Readonly<Record<string, unknown>>
}

/**
 * Somebody who asks. `hear` runs in a unit of storage, at least once for each outcome, also after a restart, within a
 * second of it: statements and pure code alone. That it was told does not let the action happen: `useApproval` does, once.
 */
export interface ApprovalAsker {
  readonly requestKinds: ReadonlyArray<RequestKind>
  readonly hear: (outcome: ApprovalOutcome) => Effect.Effect<void, never, Sql>
}

/** Everybody who asks, each for requests of its own kinds. */
export class ApprovalOutcomes extends Context.Tag("muster/ApprovalOutcomes")<
  ApprovalOutcomes,
  ReadonlyArray<ApprovalAsker>
>() {}

const readOutcome = eventReader([RunApprovalDecided, RunApprovalExpired, RunApprovalCancelled])

/** Tells an outcome to those who asked. An approval that left with its task has nobody left who waits. */
const tell =
  (askers: ReadonlyArray<ApprovalAsker>) =>
  (event: OutboxEvent): Effect.Effect<void, never, Sql> =>
    Effect.gen(function* () {
      const settled = readOutcome(event)
      if (settled === undefined) return
      const concerned = askers.filter(({ requestKinds }) => requestKinds.includes(settled.requestKind))
      if (concerned.length === 0) return
      const approval = yield* RunApprovalRepo.find(settled.resourceId)
      if (approval === undefined) return
      const responseData = yield* RunApprovalRepo.responseTo(approval.id)
      const outcome = responseData === undefined ? { approval } : { approval, responseData }
      for (const { hear } of concerned) yield* hear(outcome)
    })

/** Tells outcomes for the life of the scope, from where it stopped the last time. */
export const tellOutcomes = (
  askers: ReadonlyArray<ApprovalAsker>
): Effect.Effect<void, never, Storage | Worker.Workers | Scope.Scope> =>
  Effect.asVoid(
    Projection.keep({
      name: "approval-outcomes",
      apply: tell(askers),
      resources: [approvalStream],
      gather: "20 millis"
    })
  )
