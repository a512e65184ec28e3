import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs"
import { Effect } from "effect"
import { sql } from "../../src/storage/Sql.ts"
import { databaseOf } from "./Restore.ts"
import { readDatabase } from "./TestStorage.ts"

/** Overwrites a part of a file, as a bad disk does. */
export const overwrite = (file: string, at: number, bytes: number): void => {
  const opened = openSync(file, "r+")
  writeSync(opened, Buffer.alloc(bytes, 0x5a), 0, bytes, at)
  closeSync(opened)
}

/** The bytes of a file, whoever has it open. */
export const bytesOf = (file: string): Buffer => {
  const opened = openSync(file, "r")
  const content = Buffer.alloc(fstatSync(opened).size)
  readSync(opened, content, 0, content.length, 0)
  closeSync(opened)
  return content
}

/** Overwrites the first page of a table or an index. */
export const spoilTable = (directory: string, name: string) =>
  Effect.gen(function* () {
    const [table] = yield* readDatabase<{ page: number }>(
      directory,
      sql`SELECT rootpage AS page FROM sqlite_master WHERE name = ${name}`
    )
    const [{ size } = { size: 0 }] = yield* readDatabase<{ size: number }>(
      directory,
      sql`SELECT page_size AS size FROM pragma_page_size`
    )
    overwrite(databaseOf(directory), ((table?.page ?? 0) - 1) * size, size)
  })
