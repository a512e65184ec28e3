import { Context, type Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"
import type { AttemptLease } from "./Cleanup.ts"

/** What the worktrees ask of the room that runs attempts: a worktree in which one works is not taken away. */
export interface AttemptLeasesService {
  readonly of: (taskId: string) => Effect.Effect<AttemptLease, never, Sql>
}

export class AttemptLeases extends Context.Tag("muster/AttemptLeases")<
  AttemptLeases,
  AttemptLeasesService
>() {}
