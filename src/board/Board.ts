import { Layer } from "effect"
import { NoRules } from "./gates/tmp.ts"
import { TasksHttp } from "./tasks/Http.ts"
import { Tasks } from "./tasks/Tasks.ts"

/** The handlers of the board. */
export const BoardHttp = Layer.mergeAll(TasksHttp)

/** The services of the board. */
export const Board = Layer.mergeAll(Tasks.layer).pipe(Layer.provide(NoRules))
