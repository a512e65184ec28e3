// B11: from the start of the process to its first answer, and memory at rest: an empty board, and one of 10,000 tasks
// with 1,000,000 events that every read model has taken in.
import { join } from "node:path"
import Database from "better-sqlite3"
import { median, residentMb, seed, startMuster, table, temporaryDirectory } from "./world.mjs"

const events = Number(process.env.BENCH_EVENTS ?? 1_000_000)

/** Adds events that are told of the tasks, and puts the read models behind the last of them. */
const age = (directory) => {
  const db = new Database(join(directory, "muster.db"))
  db.transaction(() => {
    db.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
        INSERT INTO outbox (resource, resource_id, stream_seq, kind, payload, actor, created_at)
        SELECT 'task', 'task_' || (i % 10000), 2 + i / 10000, 'task.updated', '{"revision":2}', 'bench', 0 FROM n`
    ).run(events)
    db.exec("UPDATE projections SET cursor = (SELECT MAX(seq) FROM outbox)")
  })()
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.close()
}

const aged = temporaryDirectory()
await seed(aged, 10_000)
age(aged)
const boards = [
  { name: "an empty board", directory: temporaryDirectory() },
  { name: `10,000 tasks, ${events.toLocaleString("en")} events`, directory: aged }
]
const rows = []
for (const { directory, name } of boards) {
  await (await startMuster(directory)).stop()
  const starts = []
  const idle = []
  for (let round = 0; round < Number(process.env.BENCH_ROUNDS ?? 5); round++) {
    const server = await startMuster(directory)
    starts.push(server.startMs)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    idle.push(residentMb(server.pid))
    await server.stop()
  }
  rows.push({
    Workload: `B11 start and footprint, ${name}`,
    "start to first answer, ms": Math.round(median(starts)),
    "idle RSS, MB": Math.round(median(idle))
  })
}
console.log(table(rows))
