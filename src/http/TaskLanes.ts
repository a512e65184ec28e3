import { Effect, Exit } from "effect"
import { respondList, respondTask } from "../board/tasks/Http.ts"
import { Tasks } from "../board/tasks/Tasks.ts"
import { ContractTables } from "./ContractTables.ts"
import type { Lane } from "./Lane.ts"

const plainTask = /^\/api\/tasks\/([A-Za-z0-9._-]{1,128})$/
const plainList = /^\/api\/tasks(?:\?limit=([1-9]\d{0,3}))?$/

/** `GET /tasks/:id` and `GET /tasks`, the reads that boards and agents repeat most. */
export const taskLanes: Effect.Effect<ReadonlyArray<Lane>, never, ContractTables | Tasks> = Effect.gen(
  function* () {
    const tasks = yield* Tasks
    const { routes } = yield* ContractTables
    const requires = routes.get("GET /api/tasks/:id")?.requires
    if (
      requires === undefined ||
      requires === "public" ||
      requires !== routes.get("GET /api/tasks")?.requires
    ) {
      return yield* Effect.dieMessage("The lanes do not know what their routes require")
    }
    const others = otherRoutes(routes)
    return [
      {
        requires,
        answer: (url) => {
          const id = plainTask.exec(url)?.[1]
          const found = id === undefined || others.has(id) ? undefined : Effect.runSyncExit(tasks.get(id))
          return found !== undefined && Exit.isSuccess(found) ? respondTask(found.value) : undefined
        }
      },
      {
        requires,
        answer: (url) => {
          const plain = plainList.exec(url)
          if (plain === null) return undefined
          const page = Effect.runSyncExit(
            tasks.list(plain[1] === undefined ? {} : { limit: Number(plain[1]) })
          )
          return Exit.isSuccess(page) ? respondList(page.value) : undefined
        }
      }
    ]
  }
)

/** Words that make other routes in the place of the id: `counts` is no task, even if a task has it for an id. */
const otherRoutes = (table: ReadonlyMap<string, unknown>): ReadonlySet<string> => {
  const prefix = "GET /api/tasks/"
  return new Set(
    [...table.keys()].flatMap((route) => (route.startsWith(prefix) ? [route.slice(prefix.length)] : []))
  )
}
