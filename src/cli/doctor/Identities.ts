import { Effect } from "effect"
import { ImportsApi } from "../../board/imports/Api.ts"
import { TasksApi } from "../../board/tasks/Api.ts"
import type { Connection } from "../../client/Connection.ts"
import { asking } from "./AskServer.ts"
import { ok, warn } from "./Check.ts"

/** Checks that no tasks share an identity: every write to such tasks is refused. */
export const checkIdentities = (connection: Connection) =>
  asking("identities", connection, (call) =>
    Effect.map(
      call(TasksApi, ({ tasks }) => tasks.list({ urlParams: { limit: 1 } })),
      ({ meta }) => {
        const found = meta?.taskIdentityDiagnostics
        if (found === undefined) return [ok("identities", "no two tasks share an id or an item of a tracker")]
        const kinds = new Set(found.conflicts.map(({ kind }) => kind))
        const remedies = [
          ...(kinds.has("task-id")
            ? ["muster doctor --repair-ids gives new ids to all but the first task of each id"]
            : []),
          ...(kinds.has("external-identity")
            ? ["archive or delete all but one of the tasks that share an item of a tracker"]
            : [])
        ]
        const detail = `tasks that share an identity can't be changed: ${found.duplicateIds.join(", ")}`
        return [warn("identities", detail, remedies.join("; "))]
      }
    )
  )

/** Gives new ids to tasks that share one, until no id is shared. */
export const repairIds = (connection: Connection) =>
  asking("repair", connection, (call) =>
    Effect.gen(function* () {
      const names: Array<string> = []
      for (;;) {
        const { remaining, repaired } = yield* call(ImportsApi, ({ imports }) => imports.repairIds())
        names.push(...repaired.map(({ id, newId }) => `${id} is ${newId} now`))
        if (remaining === 0 || repaired.length === 0) break
      }
      return [ok("repair", names.length === 0 ? "no task shares an id" : names.join("; "))]
    })
  )
