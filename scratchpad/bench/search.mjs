// B9: search over 100,000 documents, beside FTS5 behind bare node:http. Rounds alternate; the figures are medians.
import { join } from "node:path"
import Database from "better-sqlite3"
import { hashOf } from "../../dist/insight/search/SearchDocument.js"
import { corpus } from "./search-corpus.mjs"
import { median, start, startMuster, table, temporaryDirectory, wrk } from "./world.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const count = Number(process.env.BENCH_DOCUMENTS ?? 100_000)

const directories = { muster: temporaryDirectory(), raw: temporaryDirectory() }

const first = await startMuster(directories.muster, 4100)
await first.stop()
const board = new Database(join(directories.muster, "muster.db"))
const insert = board.prepare(
  `INSERT INTO search_documents (key, id, collection, path, title, text, hash)
  VALUES (@key, @id, 'tasks-active', @id, @title, @text, @hash)`
)
board.transaction(() => {
  for (const document of corpus(count)) {
    insert.run({ ...document, key: `task:${document.id}`, hash: hashOf(document) })
  }
  board.exec("INSERT INTO search_words (search_words) VALUES ('rebuild')")
})()
board.pragma("wal_checkpoint(TRUNCATE)")
board.close()

const raw = new Database(join(directories.raw, "raw-search.db"))
raw.exec("CREATE VIRTUAL TABLE words USING fts5(id UNINDEXED, title, text, prefix='2 3')")
raw.exec("INSERT INTO words (words, rank) VALUES ('rank', 'bm25(0.0, 4.0, 1.0)')")
const insertRaw = raw.prepare("INSERT INTO words (id, title, text) VALUES (@id, @title, @text)")
raw.transaction(() => {
  for (const document of corpus(count)) insertRaw.run(document)
})()
raw.close()

const servers = {
  Muster: await startMuster(directories.muster),
  raw: await start("scratchpad/bench/raw-search.mjs", 4102, directories.raw)
}
const results = []
for (const connections of [1, 20]) {
  const measure = (name) =>
    wrk(`${servers[name].baseUrl}/api/search`, { connections, seconds, script: "search.lua" })
  const runs = { Muster: [], raw: [] }
  for (const name of ["Muster", "raw"]) measure(name)
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? ["Muster", "raw"] : ["raw", "Muster"]) runs[name].push(measure(name))
  }
  if (Object.values(runs).some((all) => all.some((run) => run.failed > 0)))
    throw new Error("B9: some requests failed")
  const middle = (name, of) => median(runs[name].map((run) => run[of]))
  results.push({
    Workload: `B9 POST /search, ${count.toLocaleString("en")} documents, ${connections} connections`,
    "Muster /s": Math.round(middle("Muster", "perSecond")),
    "raw /s": Math.round(middle("raw", "perSecond")),
    Ratio: (middle("Muster", "perSecond") / middle("raw", "perSecond")).toFixed(2),
    "Muster p50/p99 ms": `${middle("Muster", "p50").toFixed(1)} / ${middle("Muster", "p99").toFixed(1)}`,
    "raw p50/p99 ms": `${middle("raw", "p50").toFixed(1)} / ${middle("raw", "p99").toFixed(1)}`
  })
}
for (const server of Object.values(servers)) await server.stop()
console.log(table(results))
