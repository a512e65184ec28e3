import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { Effect } from "effect"
import * as Restore from "../../src/offline/Restore.ts"
import { temporaryDirectory } from "./World.ts"

/** Where a directory keeps its board. */
export const databaseOf = (directory: string): string => join(directory, "muster.db")

/** A copy of the board of a directory whose server does not run. */
export const copyOf = (directory: string) =>
  Effect.map(temporaryDirectory, (elsewhere) => {
    const copy = join(elsewhere, "copy.db")
    copyFileSync(databaseOf(directory), copy)
    return copy
  })

/** What `muster restore` does to a directory whose server does not run. */
export const restore = (copy: string, directory: string) =>
  Effect.provide(Restore.restore(copy, { directory, database: databaseOf(directory) }), NodeContext.layer)
