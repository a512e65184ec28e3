import { Effect, Option, Schema } from "effect"
import { respondList, respondTask, taskPrecondition } from "../board/tasks/Http.ts"
import { TaskPatch } from "../board/tasks/Task.ts"
import { Tasks } from "../board/tasks/Tasks.ts"
import * as Revision from "../kernel/Revision.ts"
import { ContractTables } from "./ContractTables.ts"
import type { Lane, ReadingLane, WritingLane } from "./Lane.ts"
import { refusalsOf } from "./Refusals.ts"

const plainTask = /^\/api\/tasks\/([A-Za-z0-9._-]{1,128})$/
const plainList = /^\/api\/tasks(?:\?limit=([1-9]\d{0,3}))?$/

const decodeHeaders = Schema.decodeUnknownOption(Revision.Headers)
const decodePatch = Schema.decodeUnknownOption(TaskPatch)

/** `GET /tasks/:id`, `GET /tasks` and `PATCH /tasks/:id`: what boards and agents do most. */
export const taskLanes: Effect.Effect<ReadonlyArray<Lane>, never, ContractTables | Tasks> = Effect.gen(
  function* () {
    const tasks = yield* Tasks
    const { routes } = yield* ContractTables
    const factsOf = (route: string) => {
      const facts = routes.get(route)
      return facts?.asked === undefined
        ? Effect.dieMessage(`The lane of ${route} does not know what it requires`)
        : Effect.succeed({ errors: facts.errors, admits: facts.asked.admits })
    }
    const isTask = plainIds(routes)

    const get: ReadingLane = {
      method: "GET",
      admits: (yield* factsOf("GET /api/tasks/:id")).admits,
      work: (url) => {
        const id = isTask("GET", url)
        return id === undefined ? undefined : Effect.map(tasks.get(id), respondTask)
      }
    }

    const list: ReadingLane = {
      method: "GET",
      admits: (yield* factsOf("GET /api/tasks")).admits,
      work: (url) => {
        const plain = plainList.exec(url)
        if (plain === null) return undefined
        const page = tasks.list(plain[1] === undefined ? {} : { limit: Number(plain[1]) })
        return Effect.map(page, respondList)
      }
    }

    const patchRoute = yield* factsOf("PATCH /api/tasks/:id")
    const patch: WritingLane = {
      method: "PATCH",
      admits: patchRoute.admits,
      unit: ({ body, request }, by) => {
        const id = isTask("PATCH", request.url ?? "")
        if (id === undefined || body._tag !== "Json") return undefined
        const headers = Option.getOrUndefined(decodeHeaders(request.headers))
        const changes = Option.getOrUndefined(decodePatch(body.value))
        // A new status passes gates: what they refuse, and leave behind, is the route's to tell.
        if (headers === undefined || changes === undefined || changes.status !== undefined) return undefined
        return Effect.map(tasks.patching(id, changes, taskPrecondition(headers), by), respondTask)
      },
      refusals: refusalsOf(patchRoute.errors)
    }

    return [get, list, patch]
  }
)

/** The id that a plain URL names, unless it is a word of another route: `counts` is no task, even if one is called so. */
const plainIds = (table: ReadonlyMap<string, unknown>) => {
  const words = new Set(table.keys())
  return (method: string, url: string): string | undefined => {
    const id = plainTask.exec(url)?.[1]
    return id === undefined || words.has(`${method} /api/tasks/${id}`) ? undefined : id
  }
}
