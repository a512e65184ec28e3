// The comparator of B9: FTS5 behind bare node:http. One table, one statement, JSON out.
import { createServer } from "node:http"
import Database from "better-sqlite3"

const db = new Database(`${process.env.SERVICE_DATA_DIR}/raw-search.db`, { readonly: true })
const find = db.prepare(`
  SELECT id, title, snippet(words, 2, '', '', '…', 32) AS snippet, rank FROM words
  WHERE words MATCH ? ORDER BY rank LIMIT ?`)

createServer((request, response) => {
  if (request.method === "GET") return response.end("{}")
  const chunks = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", () => {
    const { limit, query } = JSON.parse(Buffer.concat(chunks).toString())
    const terms = query.split(" ")
    const match = terms.map((term, index) => `"${term}"${index === terms.length - 1 ? " *" : ""}`).join(" ")
    const body = JSON.stringify({ query, results: find.all(match, limit) })
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    response.end(body)
  })
}).listen(Number(process.env.SERVICE_PORT), "127.0.0.1")
