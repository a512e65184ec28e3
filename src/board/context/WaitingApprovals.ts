import { Context, type Effect, Schema } from "effect"
import type { Page } from "../../kernel/Paging.ts"
import { Timestamp } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"

/** An approval that a run of the task waits for, in short: who asks for what, and until when. */
export const WaitingApproval = Schema.Struct({
  id: Schema.String,
  attemptId: Schema.String,
  agentId: Schema.String,
  requestKind: Schema.String,
  action: Schema.String,
  riskClass: Schema.String,
  createdAt: Timestamp,
  expiresAt: Timestamp
}).annotations({ identifier: "WaitingApproval" })
export type WaitingApproval = typeof WaitingApproval.Type

/** What the context of a task asks of the room that asks people: the newest that wait, up to a limit, and how many do. */
export interface WaitingApprovalsService {
  readonly of: (taskId: string, limit: number) => Effect.Effect<Page<WaitingApproval>, never, Sql>
}

export class WaitingApprovals extends Context.Tag("muster/WaitingApprovals")<
  WaitingApprovals,
  WaitingApprovalsService
>() {}
