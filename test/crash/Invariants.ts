import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type AuditRow, brokenLink, selectAudit } from "../support/Audit.ts"
import { readDatabase } from "../support/TestStorage.ts"

/** What must hold of a database after any crash, read from the file itself. */
export const assertSound = (directory: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const read = <Row extends object>(build: Parameters<typeof readDatabase>[1]) =>
      readDatabase<Row>(directory, build)

    assert.deepStrictEqual(yield* read((sql) => sql`PRAGMA integrity_check`), [{ integrity_check: "ok" }])
    assert.deepStrictEqual(yield* read((sql) => sql`PRAGMA foreign_key_check`), [])

    const gaps = yield* read(
      (sql) => sql`
        SELECT resource, resource_id FROM outbox GROUP BY resource, resource_id
        HAVING MIN(stream_seq) <> 1 OR MAX(stream_seq) <> COUNT(*)`
    )
    assert.deepStrictEqual(gaps, [], "streams with a gap")

    const miscounted = yield* read(
      (sql) => sql`
        SELECT t.id, t.revision, COUNT(o.seq) AS events FROM tasks t
        LEFT JOIN outbox o ON o.resource = 'task' AND o.resource_id = t.id
        GROUP BY t.row HAVING t.revision <> events`
    )
    assert.deepStrictEqual(miscounted, [], "tasks whose revision is not the number of their changes")

    const torn = yield* read(
      (sql) => sql`
        SELECT t.id FROM tasks t LEFT JOIN task_documents d ON d.row = t.row
        WHERE json_extract(d.json, '$.revision') IS NOT t.revision
          OR json_extract(d.json, '$.status') IS NOT t.status`
    )
    assert.deepStrictEqual(torn, [], "tasks whose document says something else than their row")

    const [counts] = yield* read<{ events: number; last: number; links: number; pairs: number }>(
      (sql) => sql`
        SELECT (SELECT COUNT(*) FROM outbox) AS events, (SELECT COALESCE(MAX(seq), 0) FROM outbox) AS last,
          (SELECT COUNT(*) FROM audit) AS links,
          (SELECT COUNT(*) FROM audit a JOIN outbox o
            ON o.seq = a.sequence AND o.kind = a.action AND o.resource_id = a.resource_id) AS pairs`
    )
    const n = counts?.events ?? 0
    assert.deepStrictEqual(counts, { events: n, last: n, links: n, pairs: n })
    assert.strictEqual(brokenLink(yield* read<AuditRow>(selectAudit)), undefined)

    const columns = yield* read<{ lane: number; size: number; places: number; first: number; last: number }>(
      (sql) => sql`
        SELECT lane, COUNT(*) AS size, COUNT(DISTINCT position) AS places,
          MIN(position) AS first, MAX(position) AS last
        FROM tasks WHERE archived = 0 GROUP BY lane`
    )
    for (const { first, lane, last, places, size } of columns) {
      assert.deepStrictEqual([first, last, places], [0, size - 1, size], `column ${lane}`)
    }
  })
