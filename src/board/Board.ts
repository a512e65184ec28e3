import { Layer } from "effect"
import { Comments } from "./comments/Comments.ts"
import { CommentsHttp } from "./comments/Http.ts"
import { Dependencies } from "./dependencies/Dependencies.ts"
import { DependenciesHttp } from "./dependencies/Http.ts"
import { NoRules } from "./gates/tmp.ts"
import { ProgressHttp } from "./progress/Http.ts"
import { Progress } from "./progress/Progress.ts"
import { TasksHttp } from "./tasks/Http.ts"
import { Tasks } from "./tasks/Tasks.ts"
import { TimeHttp } from "./time/Http.ts"
import { TimeTracking } from "./time/TimeTracking.ts"

/** The handlers of the board. */
export const BoardHttp = Layer.mergeAll(CommentsHttp, DependenciesHttp, ProgressHttp, TasksHttp, TimeHttp)

/** The services of the board. */
export const Board = Layer.mergeAll(
  Comments.layer,
  Dependencies.layer,
  Progress.layer,
  Tasks.layer.pipe(Layer.provide(NoRules)),
  TimeTracking.layer
)
