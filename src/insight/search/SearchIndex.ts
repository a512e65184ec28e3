import { Effect } from "effect"
import * as TaskRepo from "../../board/tasks/TaskRepo.ts"
import type { OutboxEvent } from "../../storage/Outbox.ts"
import type { Projection } from "../../storage/Projection.ts"
import type { Sql } from "../../storage/Sql.ts"
import { documentOfTask, taskKey } from "./SearchDocument.ts"
import * as SearchRepo from "./SearchRepo.ts"

/** Takes a task into the index as it is now, or out of it when it is gone. */
const index = ({ resource, resourceId }: OutboxEvent): Effect.Effect<void, never, Sql> =>
  resource !== "task"
    ? Effect.void
    : Effect.flatMap(TaskRepo.find(resourceId), (found) =>
        Effect.asVoid(
          found === undefined
            ? SearchRepo.remove(taskKey(resourceId))
            : SearchRepo.put(documentOfTask(found.task))
        )
      )

/** Everything that is written into tasks can be found, soon after. */
export const searchIndex: Projection = { name: "search", apply: index, gather: "1 second" }
