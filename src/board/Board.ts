import { Layer } from "effect"
import { Checkpoints } from "./checkpoints/Checkpoints.ts"
import { CheckpointsHttp } from "./checkpoints/Http.ts"
import { NoRules } from "./gates/tmp.ts"
import { ObservationsHttp } from "./observations/Http.ts"
import { Observations } from "./observations/Observations.ts"
import { TasksHttp } from "./tasks/Http.ts"
import { Tasks } from "./tasks/Tasks.ts"

/** The handlers of the board. */
export const BoardHttp = Layer.mergeAll(CheckpointsHttp, ObservationsHttp, TasksHttp)

/** The services of the board. */
export const Board = Layer.mergeAll(Checkpoints.layer, Observations.layer, Tasks.layer).pipe(
  Layer.provide(NoRules)
)
