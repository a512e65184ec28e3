// B9: searches by words over 100,000 documents, beside a plain FTS5 index of the same texts that is asked by hand. Rounds alternate between the two
// servers; the figures are medians, with the slowest and the fastest round.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { key, median, seed, startMuster, startRaw, table, temporaryDirectory, wrk } from "./world.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const documents = Number(process.env.BENCH_DOCUMENTS ?? 100_000)
const files = 2_000
const port = Number(process.env.BENCH_PORT ?? 4101)

/** The same numbers in every run (mulberry32). */
let state = 20_261_121
const random = () => {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

// 20,000 words of which few are frequent and most are rare, as in any language (Zipf).
const syllables = [
  "ba",
  "ce",
  "di",
  "fo",
  "gu",
  "ka",
  "le",
  "mi",
  "no",
  "pu",
  "ra",
  "se",
  "ti",
  "vo",
  "zu",
  "an"
]
const word = (rank) => {
  let text = ""
  for (let rest = rank + 256; rest > 0; rest = Math.floor(rest / 16)) text += syllables[rest % 16]
  return text
}
const vocabulary = 20_000
const anyWord = () => word(Math.floor(vocabulary ** random()) - 1)
const sentence = (count) => Array.from({ length: count }, anyWord).join(" ")

// What people type: one to three words, of which the last is sometimes only begun. Frequent words are among them.
const queryOf = (index) => {
  const words = Array.from({ length: 1 + (index % 3) }, () => word(20 + Math.floor(2_000 * random())))
  const last = words.pop()
  return [...words, index % 4 === 0 ? last.slice(0, -2) : last].join(" ")
}

const directory = temporaryDirectory()
await seed(directory, documents - files, () => ({ title: sentence(6), description: sentence(60) }))
const docs = join(directory, "docs")
mkdirSync(docs)
for (let index = 0; index < files; index++) {
  writeFileSync(join(docs, `${index}.md`), `# ${sentence(5)}\n\n${sentence(300)}\n`)
}
const bodies = Array.from({ length: 500 }, (_, index) => JSON.stringify({ query: queryOf(index) }))
process.env.BENCH_BODIES = join(directory, "bodies")
writeFileSync(process.env.BENCH_BODIES, bodies.join("\n"))

const ask = async (server, path, body) => {
  const response = await fetch(`${server.baseUrl}/api/${path}`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body
  })
  return response.json()
}

const muster = await startMuster(directory, port, { SERVICE_DOCS_DIR: docs })
const from = performance.now()
await ask(muster, "search", bodies[0])
await ask(muster, "search/index/refresh", "{}")
const indexedSeconds = (performance.now() - from) / 1_000
const db = new Database(join(directory, "raw.db"))
db.exec(`
  ATTACH '${join(directory, "muster.db")}' AS muster;
  CREATE TABLE search_documents (
    row INTEGER PRIMARY KEY, id TEXT, collection TEXT, path TEXT, title TEXT, text TEXT
  );
  INSERT INTO search_documents SELECT row, id, collection, path, title, text FROM muster.search_documents;
  DETACH muster;
  CREATE VIRTUAL TABLE search_words USING fts5(
    title, text, content='search_documents', content_rowid='row', tokenize='unicode61 remove_diacritics 2', prefix='2 3'
  );
  INSERT INTO search_words (search_words, rank) VALUES ('rank', 'bm25(4.0, 1.0)');
  INSERT INTO search_words (search_words) VALUES ('rebuild');
`)
db.close()
const raw = await startRaw(directory, port + 1, "search-raw.mjs")

// Both must find as much, and mostly the same, or the comparison says nothing.
let found = 0
let shared = 0
for (const body of bodies) {
  const [ours, theirs] = await Promise.all([muster, raw].map((server) => ask(server, "search", body)))
  if (ours.results.length !== theirs.results.length) throw new Error(`${body} finds two things`)
  const known = new Set(ours.results.map(({ id }) => id))
  shared += theirs.results.filter(({ id }) => known.has(id)).length
  found += theirs.results.length
}

const speeds = (of) => of.map((run) => run.perSecond)
const spread = (of) => `${Math.round(Math.min(...speeds(of)))} to ${Math.round(Math.max(...speeds(of)))}`
const at = (of, share) => median(of.map((run) => run[share])).toFixed(1)
const results = []
for (const connections of [1, 8]) {
  const measure = (server) => wrk(`${server.baseUrl}/`, { connections, seconds, script: "search.lua" })
  const runs = { muster: [], raw: [] }
  for (const server of [muster, raw]) measure(server)
  for (let round = 0; round < rounds; round++) {
    const order = [
      [muster, runs.muster],
      [raw, runs.raw]
    ]
    for (const [server, into] of round % 2 === 0 ? order : order.reverse()) into.push(measure(server))
  }
  if ([...runs.muster, ...runs.raw].some((run) => run.failed > 0)) throw new Error("B9: some searches failed")
  results.push({
    Workload: `B9 POST /search, ${documents.toLocaleString("en")} documents, connections: ${connections}`,
    "Muster /s": `${Math.round(median(speeds(runs.muster)))} (${spread(runs.muster)})`,
    "raw /s": `${Math.round(median(speeds(runs.raw)))} (${spread(runs.raw)})`,
    Ratio: (median(speeds(runs.muster)) / median(speeds(runs.raw))).toFixed(2),
    "Muster p50/p99 ms": `${at(runs.muster, "p50")} / ${at(runs.muster, "p99")}`,
    "raw p50/p99 ms": `${at(runs.raw, "p50")} / ${at(runs.raw, "p99")}`
  })
}
await muster.stop()
await raw.stop()
console.log(table(results))
console.log(
  `\nIndexed in ${indexedSeconds.toFixed(1)} s; ${(found / bodies.length).toFixed(1)} results for a query, ${((100 * shared) / found).toFixed(0)} % of them the same.`
)
