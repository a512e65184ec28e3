import { HttpApi } from "@effect/platform"
import { ObservationsApi } from "./observations/Api.ts"
import { TasksApi } from "./tasks/Api.ts"

/** The groups of the board. */
export const BoardApi = HttpApi.make("muster").add(ObservationsApi).add(TasksApi)
