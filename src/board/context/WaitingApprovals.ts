import { Context, type Effect } from "effect"
import type { Page } from "../../kernel/Paging.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { WaitingApproval } from "./TaskContext.ts"

/** What the context of a task asks of the room that asks people: the newest that wait, up to a limit, and how many do. */
export interface WaitingApprovalsService {
  readonly of: (taskId: string, limit: number) => Effect.Effect<Page<WaitingApproval>, never, Sql>
}

export class WaitingApprovals extends Context.Tag("muster/WaitingApprovals")<
  WaitingApprovals,
  WaitingApprovalsService
>() {}
