import type { Effect } from "effect"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { Repo } from "./Repo.ts"

/** All repositories, by name. */
export const all: Effect.Effect<ReadonlyArray<Repo>, never, Sql> = rows<Repo>(
  sql`SELECT name, path, default_branch AS defaultBranch FROM repos ORDER BY name`
)

/** The repository with a name. */
export const find = (name: string): Effect.Effect<Repo | undefined, never, Sql> =>
  firstRow<Repo>(sql`SELECT name, path, default_branch AS defaultBranch FROM repos WHERE name = ${name}`)

/** Adds a repository. */
export const insert = ({ defaultBranch, name, path }: Repo): Effect.Effect<void, never, Sql> =>
  run(sql`INSERT INTO repos (name, path, default_branch) VALUES (${name}, ${path}, ${defaultBranch})`)

/** Writes a changed repository, which may have a new name. */
export const update = (
  before: string,
  { defaultBranch, name, path }: Repo
): Effect.Effect<void, never, Sql> =>
  run(
    sql`UPDATE repos SET name = ${name}, path = ${path}, default_branch = ${defaultBranch} WHERE name = ${before}`
  )

/** Removes a repository from the board; nothing of the repository itself is touched. */
export const remove = (name: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM repos WHERE name = ${name}`)
