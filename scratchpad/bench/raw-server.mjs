// The comparator: node:http and better-sqlite3 with the same SQL, key check, headers, savepoints, group commit, outbox
// and audit chain as the product, and nothing else.
import { createHash, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import { join } from "node:path"
import Database from "better-sqlite3"
import { canonicalize } from "json-canonicalize"

const file = join(process.env.SERVICE_DATA_DIR, "muster.db")
const writer = new Database(file)
writer.pragma("journal_mode = WAL")
writer.pragma("synchronous = FULL")
const reader = new Database(file, { readonly: true })
const hash = (text) => createHash("sha256").update(text).digest()
const keyHash = hash(process.env.SERVICE_ADMIN_KEY)

const find =
  "SELECT t.row, t.position, t.revision, d.json FROM tasks t JOIN task_documents d ON d.row = t.row WHERE t.id = ? ORDER BY t.archived, t.row LIMIT 1"
const list =
  "SELECT d.json, t.position FROM tasks t JOIN task_documents d ON d.row = t.row WHERE t.archived = 0 ORDER BY t.archived, t.lane, t.position LIMIT ? OFFSET 0"
const sql = {
  find: reader.prepare(find),
  list: reader.prepare(list),
  findForWrite: writer.prepare(find),
  update: writer.prepare("UPDATE tasks SET revision = ?, title = ? WHERE row = ? AND revision = ?"),
  updateDocument: writer.prepare("UPDATE task_documents SET json = ? WHERE row = ?"),
  outbox: writer.prepare(
    "INSERT INTO outbox (resource, resource_id, stream_seq, kind, payload, actor, created_at) SELECT 'task', @id, COALESCE(MAX(stream_seq), 0) + 1, 'task.updated', @payload, 'admin', @at FROM outbox WHERE resource = 'task' AND resource_id = @id"
  ),
  lastAudit: writer.prepare("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1"),
  audit: writer.prepare(
    "INSERT INTO audit (sequence, id, created_at, actor, role, action, resource, resource_id, workspace_id, details, previous_hash, hash) VALUES (@sequence, @auditId, @at, @actor, @role, @action, @resource, @resourceId, @workspaceId, @details, @previousHash, @hash)"
  ),
  savepoint: writer.prepare("SAVEPOINT unit"),
  release: writer.prepare("RELEASE unit"),
  begin: writer.prepare("BEGIN IMMEDIATE"),
  commit: writer.prepare("COMMIT")
}

const publicJson = (json, position) => `${json.slice(0, -1)},"position":${position}}`
const send = (response, status, json, headers) => {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(json),
    ...headers
  })
  response.end(json)
}
const revised = (id, revision) => ({
  etag: `"task:${id}:${revision}"`,
  "x-resource-revision": String(revision)
})

const patch = (id, expected, body) => {
  const found = sql.findForWrite.get(id)
  if (found === undefined) return { status: 404, json: "{}" }
  if (expected !== found.revision)
    return { status: 409, json: JSON.stringify({ code: "CONFLICT", current: found.revision }) }
  const at = Date.now()
  const task = {
    ...JSON.parse(found.json),
    ...body,
    revision: found.revision + 1,
    updatedAt: new Date(at).toISOString(),
    updatedBy: "admin"
  }
  const json = JSON.stringify(task)
  sql.update.run(task.revision, task.title, found.row, found.revision)
  sql.updateDocument.run(json, found.row)
  const payload = JSON.stringify({ revision: task.revision, fields: Object.keys(body) })
  sql.outbox.run({ id, payload, at })
  const last = sql.lastAudit.get()
  const entry = {
    sequence: (last?.sequence ?? 0) + 1,
    timestamp: new Date(at).toISOString(),
    actor: "admin",
    role: "admin",
    action: "task.updated",
    resource: "task",
    resourceId: id,
    workspaceId: "default",
    details: JSON.parse(payload),
    previousHash: last?.hash ?? "sha256:0"
  }
  sql.audit.run({
    ...entry,
    auditId: `audit_${entry.sequence}`,
    at,
    details: payload,
    hash: `sha256:${createHash("sha256").update(canonicalize(entry)).digest("hex")}`
  })
  return { status: 200, json: publicJson(json, found.position), headers: revised(id, task.revision) }
}

const waiting = []
const flush = () => {
  const jobs = waiting.splice(0, 128)
  if (waiting.length > 0) setImmediate(flush)
  sql.begin.run()
  const answers = jobs.map(({ body, expected, id }) => {
    sql.savepoint.run()
    const answer = patch(id, expected, body)
    sql.release.run()
    return answer
  })
  sql.commit.run()
  for (const [index, { response }] of jobs.entries())
    send(response, answers[index].status, answers[index].json, answers[index].headers)
}
const enqueue = (job) => {
  waiting.push(job)
  if (waiting.length === 1) setImmediate(flush)
}

createServer((request, response) => {
  if (request.url === "/health") return send(response, 200, "{}")
  const given = request.headers["x-api-key"]
  if (given === undefined || !timingSafeEqual(hash(given), keyHash)) return send(response, 401, "{}")
  const url = new URL(request.url, "http://localhost")
  if (request.method === "GET" && url.pathname === "/api/tasks") {
    const rows = sql.list.all(Number(url.searchParams.get("limit") ?? -1))
    return send(
      response,
      200,
      `{"tasks":[${rows.map(({ json, position }) => publicJson(json, position)).join()}]}`
    )
  }
  const id = decodeURIComponent(url.pathname.slice("/api/tasks/".length))
  if (request.method === "GET") {
    const found = sql.find.get(id)
    if (found === undefined) return send(response, 404, "{}")
    return send(response, 200, publicJson(found.json, found.position), revised(id, found.revision))
  }
  const chunks = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", () => {
    const expected = Number(/:(\d+)"$/.exec(request.headers["if-match"] ?? "")?.[1])
    enqueue({ id, expected, body: JSON.parse(Buffer.concat(chunks).toString()), response })
  })
}).listen(Number(process.env.SERVICE_PORT), "127.0.0.1")

process.on("SIGTERM", () => process.exit(0))
