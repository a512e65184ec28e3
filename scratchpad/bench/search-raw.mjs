// The comparator of search: node:http and better-sqlite3 on an index as one writes it first: the words of the texts as
// FTS5 finds them, its ranking, its snippets, and no bound but the newest 5,000. The same key check and the same fields in
// the answer, and nothing else.
import { createHash, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import { join } from "node:path"
import Database from "better-sqlite3"

const reader = new Database(join(process.env.SERVICE_DATA_DIR, "raw.db"), { readonly: true })
reader.pragma("cache_size = -16384")
const hash = (text) => createHash("sha256").update(text).digest()
const keyHash = hash(process.env.SERVICE_ADMIN_KEY)
const statement = reader.prepare(
  "SELECT d.id, d.title, d.path, d.collection, snippet(search_words, 1, '', '', '…', 32) AS snippet, -search_words.rank AS score FROM search_words JOIN search_documents d ON d.row = search_words.rowid WHERE search_words MATCH @match AND search_words.rowid >= COALESCE((SELECT rowid FROM search_words WHERE search_words MATCH @match ORDER BY rowid DESC LIMIT 1 OFFSET 4999), 0) ORDER BY search_words.rank LIMIT @limit"
)
const search = (match, limit) => statement.all({ match, limit })

const send = (response, status, json) => {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(json)
  })
  response.end(json)
}

/** All words, then the last one as a beginning, then any of them: what the product promises. */
const searchFor = (query, limit) => {
  const words = query.match(/[\p{L}\p{N}]+/gu).map((word) => `"${word}"`)
  const all = search(`${words.join(" AND ")}`, limit)
  if (all.length === limit) return all
  const known = new Set(all.map(({ id }) => id))
  const begun = search(`${words.join(" AND ")} *`, limit)
  const found = [...all, ...begun.filter(({ id }) => !known.has(id))].slice(0, limit)
  return found.length > 0 ? found : search(`${words.join(" OR ")} *`, limit)
}

createServer((request, response) => {
  if (request.url === "/health") return send(response, 200, "{}")
  const given = request.headers["x-api-key"]
  if (given === undefined || !timingSafeEqual(hash(given), keyHash)) return send(response, 401, "{}")
  const chunks = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", () => {
    const from = performance.now()
    const { query, limit = 20 } = JSON.parse(Buffer.concat(chunks).toString())
    const results = searchFor(query, limit)
    const elapsedMs = Math.round(performance.now() - from)
    send(response, 200, JSON.stringify({ query, backend: "keyword", degraded: false, elapsedMs, results }))
  })
}).listen(Number(process.env.SERVICE_PORT), "127.0.0.1")

process.on("SIGTERM", () => process.exit(0))
