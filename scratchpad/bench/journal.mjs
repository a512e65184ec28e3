// B5: 50 runs say lines of a kilobyte, each batch of them waits until it is stored; beside raw inserts of the same bytes
// with group commit. Then pages of 500 events out of a million.
import { join } from "node:path"
import Database from "better-sqlite3"
import { loadSource } from "../build/programs.mjs"
import { factOf } from "./journal-facts.mjs"
import { median, table, temporaryDirectory } from "./world.mjs"

const { openJournals } = await loadSource("scratchpad/bench/journal-source.ts")

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const million = Number(process.env.BENCH_EVENTS ?? 1_000_000)
const runs = Array.from({ length: 50 }, (_, index) => `attempt_${index}`)
const batch = 20

const journal = async () => {
  const journals = await openJournals(temporaryDirectory())
  for (const run of runs) await journals.open(run)
  let stored = 0
  const from = performance.now()
  const until = from + seconds * 1_000
  await Promise.all(
    runs.map(async (run) => {
      while (performance.now() < until) {
        await journals.append(
          run,
          Array.from({ length: batch }, (_, index) => factOf(stored + index))
        )
        stored += batch
      }
    })
  )
  const perSecond = (stored / (performance.now() - from)) * 1_000
  await journals.close()
  return perSecond
}

/** The same rows by the driver alone: all that came in a turn of the event loop is one transaction. */
const raw = async () => {
  const db = new Database(join(temporaryDirectory(), "raw.db"))
  db.pragma("journal_mode = WAL")
  db.pragma("synchronous = FULL")
  db.exec(
    "CREATE TABLE log (place INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL)"
  )
  const insert = db.prepare("INSERT INTO log VALUES ((? << 32) | ?, ?, ?, ?)")
  let waiting = []
  const flush = () => {
    const units = waiting
    waiting = []
    db.exec("BEGIN IMMEDIATE")
    for (const { facts, stream, first } of units)
      facts.forEach((fact, index) =>
        insert.run(stream, first + index, Date.now(), fact.kind, JSON.stringify(fact))
      )
    db.exec("COMMIT")
    for (const { done } of units) done()
  }
  const append = (stream, first, facts) =>
    new Promise((done) => {
      if (waiting.push({ stream, first, facts, done }) === 1) setImmediate(flush)
    })
  let stored = 0
  const from = performance.now()
  const until = from + seconds * 1_000
  await Promise.all(
    runs.map(async (_, stream) => {
      for (let first = 1; performance.now() < until; first += batch) {
        await append(
          stream,
          first,
          Array.from({ length: batch }, (_, index) => factOf(stored + index))
        )
        stored += batch
      }
    })
  )
  const perSecond = (stored / (performance.now() - from)) * 1_000
  db.close()
  return perSecond
}

const results = { Muster: [], raw: [] }
for (let round = 0; round < rounds; round++) {
  const sides = [
    ["Muster", journal],
    ["raw", raw]
  ]
  for (const [name, side] of round % 2 === 0 ? sides : sides.reverse()) results[name].push(await side())
}
const [own, bare] = [median(results.Muster), median(results.raw)]
console.log(
  table([
    { "B5 events of 1 KB from 50 runs": "Muster", "/s": Math.round(own), "of raw": (own / bare).toFixed(2) },
    { "B5 events of 1 KB from 50 runs": "raw, group commit", "/s": Math.round(bare), "of raw": "1.00" }
  ])
)

const journals = await openJournals(temporaryDirectory())
const few = runs.slice(0, 20)
for (const run of few) await journals.open(run)
await Promise.all(
  few.map(async (run) => {
    for (let count = 0; count < million / few.length; count += 500)
      await journals.append(
        run,
        Array.from({ length: 500 }, (_, index) => factOf(count + index))
      )
  })
)
const times = []
for (let index = 0; index < 1_000; index++) {
  const from = performance.now()
  await journals.page(few[index % few.length], (index * 7_919) % (million / few.length - 500), 500)
  times.push(performance.now() - from)
}
times.sort((a, b) => a - b)
console.log(
  table([
    {
      [`Pages of 500 of ${million} events`]: "Muster",
      "p50 ms": times[500].toFixed(1),
      "p99 ms": times[990].toFixed(1)
    }
  ])
)
await journals.close()
process.exit(0)
