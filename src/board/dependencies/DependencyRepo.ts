import { Effect } from "effect"
import { rows, type Sql, sql } from "../../storage/Sql.ts"
import { glimpsesOf } from "../tasks/Units.ts"
import type { TaskNode } from "./Dependency.ts"
import { type Edge, nodeLimit } from "./DependencyGraph.ts"

/** The edges that a walk from a task passes, along the arrows or against them, up to the node limit. */
const walk = (id: string, against: boolean): Effect.Effect<ReadonlyArray<Edge>, never, Sql> =>
  against
    ? rows<Edge>(
        sql`
          WITH RECURSIVE reached (id) AS (
            SELECT ${id} UNION SELECT d.task_id FROM task_dependencies d JOIN reached r ON d.depends_on = r.id
            LIMIT ${nodeLimit}
          )
          SELECT DISTINCT d.task_id AS "from", d.depends_on AS "to"
          FROM task_dependencies d JOIN reached r ON d.depends_on = r.id`
      )
    : rows<Edge>(
        sql`
          WITH RECURSIVE reached (id) AS (
            SELECT ${id} UNION SELECT d.depends_on FROM task_dependencies d JOIN reached r ON d.task_id = r.id
            LIMIT ${nodeLimit}
          )
          SELECT DISTINCT d.task_id AS "from", d.depends_on AS "to"
          FROM task_dependencies d JOIN reached r ON d.task_id = r.id`
      )

/** Every edge on the way down from a task: what it depends on, and what those depend on. */
export const edgesBelow = (id: string) => walk(id, false)

/** Every edge on the way up to a task: what it blocks, and what those block. */
export const edgesAbove = (id: string) => walk(id, true)

/** Whether a walk along all edges leads from one task to another; unlike an answer, this has no limit. */
export const leadsTo = (from: string, to: string): Effect.Effect<boolean, never, Sql> =>
  Effect.map(
    rows<{ id: string }>(
      sql`
        WITH RECURSIVE reached (id) AS (
          SELECT ${from} UNION SELECT d.depends_on FROM task_dependencies d JOIN reached r ON d.task_id = r.id
        )
        SELECT id FROM reached WHERE id = ${to}`
    ),
    (found) => found.length > 0
  )

/** The direct neighbours of a task. */
export const edgesOf = (
  id: string
): Effect.Effect<
  { readonly depends_on: ReadonlyArray<TaskNode>; readonly blocks: ReadonlyArray<TaskNode> },
  never,
  Sql
> =>
  Effect.gen(function* () {
    const edges = yield* rows<Edge>(
      sql`
        SELECT DISTINCT task_id AS "from", depends_on AS "to" FROM task_dependencies
        WHERE task_id = ${id} OR depends_on = ${id} ORDER BY 1, 2 LIMIT ${nodeLimit}`
    )
    const nodes = yield* glimpsesOf(edges.flatMap(({ from, to }) => [from, to]))
    const pick = (ids: ReadonlyArray<string>) =>
      ids.flatMap((neighbour) => {
        const node = nodes.get(neighbour)
        return node === undefined ? [] : [{ id: node.id, title: node.title, status: node.status }]
      })
    return {
      depends_on: pick(edges.filter(({ from }) => from === id).map(({ to }) => to)),
      blocks: pick(edges.filter(({ to }) => to === id).map(({ from }) => from))
    }
  })
