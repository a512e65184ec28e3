import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import type { Page } from "../../kernel/Paging.ts"
import { normalized } from "../../kernel/Text.ts"
import { iso } from "../../kernel/Time.ts"
import { type Compose, firstRow, type Query, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { StorageService } from "../../storage/Storage.ts"
import { type Part, walk } from "../../storage/Walk.ts"
import { importanceBand, type Observation, type ObservationType } from "./Observation.ts"

/** Which observations: all that hold a text, and are of a type. */
export interface Selection {
  readonly holding?: string | undefined
  readonly type?: ObservationType | undefined
}

/** How many of them, from the newest, and how many to skip before. */
export interface Extent {
  readonly limit: number
  readonly offset?: number | undefined
}

interface ObservationRow {
  readonly id: string
  readonly taskId: string
  readonly type: ObservationType
  readonly content: string
  readonly importance: number
  readonly agent: string | null
  readonly createdBy: string
  readonly createdAt: number
}

const observationOf = ({ agent, createdAt, createdBy, ...row }: ObservationRow): Observation => ({
  ...row,
  importanceBand: importanceBand(row.importance),
  ...(agent === null ? {} : { agent }),
  createdAt: iso(createdAt),
  createdBy
})

/** One spelling for texts that differ in upper and lower case, or in how their accents are encoded. */
const folded = (text: string): string => normalized(text, "NFC").toLowerCase()

/** Adds an observation. */
export const insert = (observation: Observation): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO observations (id, task_id, type, content, folded, importance, agent, created_by, created_at)
      VALUES (${observation.id}, ${observation.taskId}, ${observation.type}, ${observation.content},
        ${folded(observation.content)}, ${observation.importance}, ${observation.agent ?? null},
        ${observation.createdBy}, ${Date.parse(observation.createdAt)})`
  )

/** Removes an observation and tells which task it was about; undefined when there was none, or not about this task. */
export const remove = (id: string, taskId?: string): Effect.Effect<string | undefined, never, Sql> =>
  Effect.map(
    firstRow<{ taskId: string }>(
      sql`
        DELETE FROM observations WHERE id = ${id} AND task_id = COALESCE(${taskId ?? null}, task_id)
        RETURNING task_id AS taskId`
    ),
    (removed) => removed?.taskId
  )

/** Removes everything about a task. */
export const removeAllOf = (taskId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM observations WHERE task_id = ${taskId}`)

const selectRows = (
  tail: (sql: Compose) => Fragment
): Effect.Effect<ReadonlyArray<Observation>, never, Sql> =>
  Effect.map(
    rows<ObservationRow>(
      (sql) => sql`
        SELECT id, task_id AS taskId, type, content, importance, agent, created_by AS createdBy,
          created_at AS createdAt
        FROM observations WHERE ${tail(sql)}`
    ),
    (found) => found.map(observationOf)
  )

/** The newest observations about a task. */
export const newestOf = (
  taskId: string,
  limit: number
): Effect.Effect<ReadonlyArray<Observation>, never, Sql> =>
  selectRows((sql) => sql`task_id = ${taskId} ORDER BY seq DESC LIMIT ${limit}`)

/** Where the part of this size begins that lies below a place. */
const floor = (below: number, size: number): Query => sql`
  SELECT MIN(seq) AS "from"
  FROM (SELECT seq FROM observations WHERE seq < ${below} ORDER BY seq DESC LIMIT ${size})`

/** The places of a part that a selection takes, from the newest. */
const placesIn =
  ({ holding, type }: Selection) =>
  ({ below, from }: Part): Effect.Effect<ReadonlyArray<{ readonly seq: number }>, never, Sql> =>
    rows(
      (sql) => sql`
        SELECT seq FROM observations
        WHERE ${sql.and([
          sql`seq >= ${from} AND seq < ${below}`,
          ...(type === undefined ? [] : [sql`type = ${type}`]),
          ...(holding === undefined ? [] : [sql`instr(folded, ${folded(holding)}) > 0`])
        ])}
        ORDER BY seq DESC`
    )

/** The newest observations of all, and how many there are. */
const newest = ({ limit, offset = 0 }: Extent): Effect.Effect<Page<Observation>, never, Sql> =>
  Effect.zipWith(
    selectRows((sql) => sql`TRUE ORDER BY seq DESC LIMIT ${limit} OFFSET ${offset}`),
    firstRow<{ n: number }>(sql`SELECT COUNT(*) AS n FROM observations`),
    (items, count) => ({ items, total: count?.n ?? 0 })
  )

/** The newest observations of a selection, and how many it has in all. */
export const page = (
  storage: StorageService,
  selection: Selection,
  { limit, offset = 0 }: Extent
): Effect.Effect<Page<Observation>> =>
  Effect.gen(function* () {
    if (selection.holding === undefined && selection.type === undefined) {
      return yield* storage.read(newest({ limit, offset }))
    }
    const places = yield* walk(storage, floor, placesIn(selection))
    const wanted = JSON.stringify(places.slice(offset, offset + limit).map(({ seq }) => seq))
    const items = yield* storage.read(
      selectRows((sql) => sql`seq IN (SELECT value FROM json_each(${wanted})) ORDER BY seq DESC`)
    )
    return { items, total: places.length }
  })
