import { HttpApi } from "@effect/platform"
import { CheckpointsApi } from "./checkpoints/Api.ts"
import { ObservationsApi } from "./observations/Api.ts"
import { TasksApi } from "./tasks/Api.ts"

/** The groups of the board. */
export const BoardApi = HttpApi.make("muster").add(CheckpointsApi).add(ObservationsApi).add(TasksApi)
