import { Context, type Effect } from "effect"
import type { Sql } from "../../storage/Sql.ts"

/** Whether a delegation report is answered with a warning. This room asks; the settings of the board answer. */
export interface DelegationWarningsService {
  readonly enabled: Effect.Effect<boolean, never, Sql>
}

export class DelegationWarnings extends Context.Tag("muster/DelegationWarnings")<
  DelegationWarnings,
  DelegationWarningsService
>() {}
