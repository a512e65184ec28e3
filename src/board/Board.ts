import { Effect, Layer } from "effect"
import { AgentStatuses } from "./agent-status/AgentStatuses.ts"
import { DelegationWarnings } from "./agent-status/DelegationWarnings.ts"
import { AgentStatusHttp } from "./agent-status/Http.ts"
import { NoRules } from "./gates/tmp.ts"
import { SquadHttp } from "./squad/Http.ts"
import { SquadChat } from "./squad/SquadChat.ts"
import { TasksHttp } from "./tasks/Http.ts"
import { Tasks } from "./tasks/Tasks.ts"

/** The handlers of the board. */
export const BoardHttp = Layer.mergeAll(AgentStatusHttp, SquadHttp, TasksHttp)

/** Delegation reports bring no warning. */
const NoDelegationWarnings = Layer.succeed(DelegationWarnings, { enabled: Effect.succeed(false) })

/** The services of the board. */
export const Board = Layer.mergeAll(AgentStatuses.layer, SquadChat.layer, Tasks.layer).pipe(
  Layer.provide([NoDelegationWarnings, NoRules])
)
