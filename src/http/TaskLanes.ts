import { Effect, Exit } from "effect"
import { respondList, respondTask } from "../board/tasks/Http.ts"
import { Tasks } from "../board/tasks/Tasks.ts"
import { requirements } from "./Authorization.ts"
import type { Lane } from "./Lane.ts"

const plainTask = /^\/api\/tasks\/([A-Za-z0-9._-]{1,128})$/
const plainList = /^\/api\/tasks(?:\?limit=([1-9]\d{0,3}))?$/

/** `GET /tasks/:id` and `GET /tasks`, the reads that boards and agents repeat most. */
export const taskLanes: Effect.Effect<ReadonlyArray<Lane>, never, Tasks> = Effect.gen(function* () {
  const tasks = yield* Tasks
  const table = requirements()
  const requires = table.get("GET /api/tasks/:id")
  if (requires === undefined || requires === "public" || requires !== table.get("GET /api/tasks")) {
    return yield* Effect.dieMessage("The lanes do not know what their routes require")
  }
  return [
    {
      requires,
      answer: (url) => {
        const id = plainTask.exec(url)?.[1]
        const found = id === undefined ? undefined : Effect.runSyncExit(tasks.get(id))
        return found !== undefined && Exit.isSuccess(found) ? respondTask(found.value) : undefined
      }
    },
    {
      requires,
      answer: (url) => {
        const plain = plainList.exec(url)
        if (plain === null) return undefined
        const page = Effect.runSyncExit(tasks.list(plain[1] === undefined ? {} : { limit: Number(plain[1]) }))
        return Exit.isSuccess(page) ? respondList(page.value) : undefined
      }
    }
  ]
})
