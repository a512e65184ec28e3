import { Effect } from "effect"
import type { Projection } from "../../storage/events/Projection.ts"
import type { FindableTasksService } from "./FindableTasks.ts"
import { taskKey } from "./SearchDocument.ts"
import * as SearchRepo from "./SearchRepo.ts"

/** Everything that is written into tasks can be found, soon after: each is taken into the index as it is now. */
export const searchIndex = ({ find }: FindableTasksService): Projection => ({
  name: "search",
  resources: ["task"],
  gather: "400 millis",
  takesLatest: true,
  apply: ({ resource, resourceId }) =>
    resource !== "task"
      ? Effect.void
      : Effect.flatMap(find(resourceId), (found) =>
          Effect.asVoid(found === undefined ? SearchRepo.remove(taskKey(resourceId)) : SearchRepo.put(found))
        )
})
