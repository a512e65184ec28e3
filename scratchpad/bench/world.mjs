// What every workload needs: a data directory with tasks in it, the two servers, and numbers.
import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import Database from "better-sqlite3"
import { loadSource } from "../build/programs.mjs"

const { create, laneOf } = await loadSource("src/board/tasks/Task.ts")

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
export const key = "bench-key"
const environment = { ...process.env, SERVICE_ADMIN_KEY: key, SERVICE_LOG_LEVEL: "none" }

/** A directory that is removed when the process ends. */
export const temporaryDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), "muster-bench-"))
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const waitFor = async (url, from) => {
  for (let attempt = 0; attempt < 2_000; attempt++) {
    try {
      const response = await fetch(url, { headers: { "x-api-key": key } })
      await response.arrayBuffer()
      if (response.ok) return performance.now() - from
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  throw new Error(`${url} does not answer`)
}

const start = async (script, port, directory, more = {}) => {
  const from = performance.now()
  const child = spawn(process.execPath, [join(root, script)], {
    env: { ...environment, SERVICE_PORT: String(port), SERVICE_DATA_DIR: directory, ...more },
    stdio: ["ignore", "ignore", "inherit"]
  })
  const startMs = await waitFor(`http://127.0.0.1:${port}/health`, from)
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    startMs,
    pid: child.pid,
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", resolve)
        child.kill("SIGTERM")
      })
  }
}

export const startMuster = (directory, port = 4101, more = {}) => start("dist/main.js", port, directory, more)
export const startRaw = (directory, port = 4102, script = "raw-server.mjs", more = {}) =>
  start(`scratchpad/bench/${script}`, port, directory, more)

const plain = (index) => ({
  title: `Task number ${index}`,
  description: "What is to be done here. ".repeat(9)
})

/** Fills a directory with tasks, of about 700 bytes unless their texts are given, spread over the six columns. */
export const seed = async (directory, count, textsOf = plain) => {
  const server = await startMuster(directory, 4100)
  await server.stop()
  const db = new Database(join(directory, "muster.db"))
  const columns = db
    .prepare("SELECT name FROM pragma_table_info('tasks') WHERE name <> 'row'")
    .all()
    .map(({ name }) => name)
  const insert = db.prepare(
    `INSERT INTO tasks (${columns}) VALUES (${columns.map((name) => `@${name}`)}) RETURNING row`
  )
  const insertDocument = db.prepare("INSERT INTO task_documents (row, json) VALUES (?, ?)")
  const statuses = ["backlog", "todo", "in-progress", "blocked", "done", "cancelled"]
  const at = new Date(0).toISOString()
  db.transaction(() => {
    for (let index = 0; index < count; index++) {
      const status = statuses[index % statuses.length]
      const task = create({ ...textsOf(index), status }, { id: `task_${index}`, at, by: "bench" })
      const { row } = insert.get({
        ...Object.fromEntries(columns.map((name) => [name, null])),
        id: task.id,
        workspace_id: "default",
        archived: 0,
        lane: laneOf(status),
        position: Math.floor(index / statuses.length),
        revision: 1,
        title: task.title,
        status,
        priority: task.priority,
        type: task.type,
        tracked_ms: 0,
        timer_running: 0
      })
      insertDocument.run(row, JSON.stringify(task))
    }
  })()
  // Read models are made from the events.
  db.exec(
    "INSERT INTO outbox (resource, resource_id, stream_seq, kind, payload, actor, created_at) SELECT 'task', id, 1, 'task.created', json_object('revision', 1, 'to', status), 'bench', 0 FROM tasks"
  )
  db.pragma("wal_checkpoint(TRUNCATE)")
  db.close()
}

/** One run of wrk: requests a second and latencies in milliseconds. */
export const wrk = (url, { connections = 50, env = {}, seconds = 3, script } = {}) => {
  const output = execFileSync(
    "wrk",
    [
      "-t1",
      `-c${connections}`,
      `-d${seconds}s`,
      "--latency",
      "-H",
      `X-API-Key: ${key}`,
      ...(script === undefined ? [] : ["-s", join(root, "scratchpad/bench", script)]),
      url
    ],
    { encoding: "utf8", env: { ...process.env, ...env } }
  )
  const failed = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0)
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    p50: latency(output, "50%"),
    p99: latency(output, "99%"),
    p90: latency(output, "90%"),
    failed
  }
}

const latency = (output, name) => {
  const [, value, unit] = new RegExp(`${name}\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? []
  return Number(value) * { us: 0.001, ms: 1, s: 1_000 }[unit]
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

/** Resident memory of a process in MB. */
export const residentMb = (pid) =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1_024

export const table = (rows) => {
  const heads = Object.keys(rows[0])
  const line = (cells) => `| ${cells.join(" | ")} |`
  return [
    line(heads),
    line(heads.map(() => "---")),
    ...rows.map((row) => line(heads.map((head) => row[head])))
  ].join("\n")
}
