import { HttpApi } from "@effect/platform"
import { AgentStatusApi } from "./agent-status/Api.ts"
import { SquadApi } from "./squad/Api.ts"
import { TasksApi } from "./tasks/Api.ts"

/** The groups of the board. */
export const BoardApi = HttpApi.make("muster").add(AgentStatusApi).add(SquadApi).add(TasksApi)
