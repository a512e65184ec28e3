import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { Storage } from "../../storage/Storage.ts"
import { readBatch } from "./ImportBatch.ts"
import type { ImportResult, RepairResult } from "./ImportResult.ts"
import { importTasks } from "./ImportTasks.ts"
import { repairIds } from "./RepairIds.ts"

/** Tasks from other boards. */
export interface ImportsService {
  /** Imports the tasks of a text in JSON Lines, all of its good lines or, when storage fails, none. */
  readonly run: (lines: string, by: ActorContext) => Effect.Effect<ImportResult>
  /** Gives each task that shares its id with an earlier one an id of its own. */
  readonly repairIds: (by: ActorContext) => Effect.Effect<RepairResult>
}

export class Imports extends Context.Tag("muster/Imports")<Imports, ImportsService>() {
  static readonly layer = Layer.effect(
    Imports,
    Effect.map(Storage, (storage) =>
      Imports.of({
        run: Effect.fn("Imports.run")((lines, by) =>
          Effect.suspend(() => storage.write(importTasks(readBatch(lines), by)))
        ),
        repairIds: Effect.fn("Imports.repairIds")((by) => storage.write(repairIds(by)))
      })
    )
  )
}
