import { Layer } from "effect"
import { NoRules } from "./gates/tmp.ts"
import { SquadHttp } from "./squad/Http.ts"
import { SquadChat } from "./squad/SquadChat.ts"
import { TasksHttp } from "./tasks/Http.ts"
import { Tasks } from "./tasks/Tasks.ts"

/** The handlers of the board. */
export const BoardHttp = Layer.mergeAll(SquadHttp, TasksHttp)

/** The services of the board. */
export const Board = Layer.mergeAll(SquadChat.layer, Tasks.layer).pipe(Layer.provide(NoRules))
