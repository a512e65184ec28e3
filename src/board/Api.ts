import { HttpApi } from "@effect/platform"
import { TasksApi } from "./tasks/Api.ts"

/** The groups of the board. */
export const BoardApi = HttpApi.make("muster").add(TasksApi)
