import { Effect } from "effect"
import { firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { IdentityConflictEntry } from "./Errors.ts"

/** What two tasks must not share: their id, or an item of an external tracker. */
type Kind = IdentityConflictEntry["kind"]

/** How many conflicts an answer names at the most; the count is always whole. */
const namedLimit = 100

/** Replaces the external identities of a row, and brings the table of conflicts up to date. */
export const save = (
  row: number,
  taskId: string,
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    for (const key of before.filter((key) => !after.includes(key))) {
      yield* run(sql`DELETE FROM task_identities WHERE row = ${row} AND key = ${key}`)
      yield* refresh("external-identity", key)
    }
    for (const key of after.filter((key) => !before.includes(key))) {
      yield* run(
        sql`INSERT INTO task_identities (row, kind, key) VALUES (${row}, 'external-identity', ${key})`
      )
      yield* refresh("external-identity", key)
    }
    yield* refresh("task-id", taskId)
  })

/** Notes whether an identity is claimed more than once now. */
export const refresh = (kind: Kind, key: string): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const claims =
      kind === "task-id"
        ? yield* firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM tasks WHERE id = ${key}`)
        : yield* firstRow<{ n: number }>(
            sql`SELECT COUNT(*) AS n FROM task_identities WHERE kind = ${kind} AND key = ${key}`
          )
    yield* (claims?.n ?? 0) > 1
      ? run(sql`INSERT INTO identity_conflicts (kind, key) VALUES (${kind}, ${key}) ON CONFLICT DO NOTHING`)
      : run(sql`DELETE FROM identity_conflicts WHERE kind = ${kind} AND key = ${key}`)
  })

/** How many identities are claimed more than once on the whole board. */
export const conflictCount: Effect.Effect<number, never, Sql> = Effect.map(
  firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM identity_conflicts`),
  (found) => found?.n ?? 0
)

interface Claim {
  readonly row: number
  readonly id: string
  readonly status: string
  readonly archived: number
}

const sourceOf = (claim: Claim): IdentityConflictEntry["sources"][number] => {
  const location = claim.archived === 1 ? "archive" : claim.status === "backlog" ? "backlog" : "active"
  return { location, path: `tasks/${location}/${claim.row}/${claim.id}` }
}

/** Who claims an identity. */
const claims = (kind: Kind, key: string): Effect.Effect<ReadonlyArray<Claim>, never, Sql> =>
  kind === "task-id"
    ? rows<Claim>(
        sql`SELECT row, id, status, archived FROM tasks WHERE id = ${key} ORDER BY archived, row LIMIT 100`
      )
    : rows<Claim>(
        sql`
          SELECT t.row, t.id, t.status, t.archived FROM task_identities i JOIN tasks t ON t.row = i.row
          WHERE i.kind = ${kind} AND i.key = ${key} ORDER BY t.archived, t.row LIMIT 100`
      )

const entryOf = (kind: Kind, key: string): Effect.Effect<IdentityConflictEntry, never, Sql> =>
  Effect.map(claims(kind, key), (found) => ({ kind, id: key, sources: found.map(sourceOf) }))

/** The ids that several tasks hold, in their order. */
export const sharedIds = (limit: number): Effect.Effect<ReadonlyArray<string>, never, Sql> =>
  Effect.map(
    rows<{ key: string }>(
      sql`SELECT key FROM identity_conflicts WHERE kind = 'task-id' ORDER BY key LIMIT ${limit}`
    ),
    (found) => found.map(({ key }) => key)
  )

/** All conflicts of the board, the first hundred by name. */
export const conflicts: Effect.Effect<ReadonlyArray<IdentityConflictEntry>, never, Sql> = Effect.flatMap(
  rows<{ kind: Kind; key: string }>(
    sql`SELECT kind, key FROM identity_conflicts ORDER BY kind, key LIMIT ${namedLimit}`
  ),
  Effect.forEach(({ kind, key }) => entryOf(kind, key))
)

/** The conflicts that a task is part of, by its id and the external identities that it claims. */
export const conflictsOf = (
  id: string,
  identities: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<IdentityConflictEntry>, never, Sql> =>
  Effect.gen(function* () {
    const claimed: ReadonlyArray<readonly [Kind, string]> = [
      ["task-id", id],
      ...identities.map((key) => ["external-identity", key] as const)
    ]
    const found: Array<IdentityConflictEntry> = []
    for (const [kind, key] of claimed) {
      const conflict = yield* firstRow<{ key: string }>(
        sql`SELECT key FROM identity_conflicts WHERE kind = ${kind} AND key = ${key}`
      )
      if (conflict !== undefined) found.push(yield* entryOf(kind, key))
    }
    return found
  })

/** Which of these identities another task holds already. */
export const taken = (
  row: number | undefined,
  identities: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<IdentityConflictEntry>, never, Sql> =>
  Effect.map(
    Effect.forEach(identities, (key) =>
      Effect.map(claims("external-identity", key), (found) => ({
        kind: "external-identity" as const,
        id: key,
        sources: found.filter((claim) => claim.row !== row).map(sourceOf)
      }))
    ),
    (entries) => entries.filter((entry) => entry.sources.length > 0)
  )

/** Who holds a task id already. */
export const takenId = (id: string): Effect.Effect<ReadonlyArray<IdentityConflictEntry>, never, Sql> =>
  Effect.map(entryOf("task-id", id), (entry) => (entry.sources.length > 0 ? [entry] : []))
