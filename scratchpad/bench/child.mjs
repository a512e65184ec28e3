// From the request that starts a run until the first line of its program is stored and told to a follower, beside the
// same program started by `spawn` alone, until its first line is read. On a task without a repository, and on one that
// names a repository, whose state is captured first.
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { WebSocket } from "ws"
import { key, median, startMuster, table, temporaryDirectory } from "./world.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5) * 10

/** Says a line, and goes when it has its task. */
const root = temporaryDirectory()
const program = join(root, "agent.sh")
writeFileSync(program, "#!/bin/sh\necho The first line\ncat > /dev/null\n")
chmodSync(program, 0o755)

const git = (...args) =>
  execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args], {
    stdio: "ignore"
  })
const repository = join(root, "repository")
mkdirSync(repository)
git("init", "--initial-branch=main", repository)
for (let index = 0; index < 100; index++)
  writeFileSync(join(repository, `file-${index}.txt`), `This is file ${index}.\n`)
git("-C", repository, "add", ".")
git("-C", repository, "commit", "-m", "All files")

const server = await startMuster(temporaryDirectory())
const call = async (method, path, body) => {
  const response = await fetch(`${server.baseUrl}/api/v1${path}`, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
await call("PUT", "/config/agents", {
  agents: [{ type: "line", name: "Says a line", provider: "command", enabled: true, command: program }]
})
await call("POST", "/config/repos", { name: "bench", path: repository })

const socket = new WebSocket(`${server.baseUrl.replace("http", "ws")}/ws`, { headers: { "x-api-key": key } })
await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject))
const waiting = new Set()
socket.on("message", (data) => {
  const message = JSON.parse(data.toString())
  for (const one of waiting)
    if (one.isMet(message)) {
      waiting.delete(one)
      one.resolve()
    }
})
const heard = (isMet) => new Promise((resolve) => waiting.add({ isMet, resolve }))

/** Starts a run on a task of its own that is followed, and gives the milliseconds until its first line is told. */
const muster = async (git) => {
  const { id } = await call("POST", "/tasks", { title: "Say a line", ...git })
  const follows = heard(({ taskId, type }) => type === "subscribed" && taskId === id)
  socket.send(JSON.stringify({ type: "subscribe", taskId: id }))
  await follows
  const told = heard(({ taskId, type }) => type === "agent:event" && taskId === id)
  const over = heard(
    ({ task, type }) => type === "task:updated" && task?.id === id && task.attempt?.endedAt !== undefined
  )
  const from = performance.now()
  await Promise.all([told, call("POST", `/agents/${id}/start`, { agent: "line" })])
  const spent = performance.now() - from
  await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 500))])
  socket.send(JSON.stringify({ type: "unsubscribe", taskId: id }))
  return spent
}

const bare = async () => {
  const from = performance.now()
  const child = spawn(program, [], { stdio: ["pipe", "pipe", "ignore"], detached: true })
  const first = new Promise((resolve) => child.stdout.once("data", resolve))
  child.stdin.end("The task")
  await first
  const spent = performance.now() - from
  await new Promise((resolve) => child.once("close", resolve))
  return spent
}

const kinds = {
  "spawn alone": bare,
  "a run without a repository": () => muster({}),
  "a run in a repository of 100 files": () => muster({ git: { repo: "bench" } })
}
const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]))
for (let round = 0; round < rounds; round++) {
  const turns = Object.entries(kinds)
  for (const [kind, measure] of round % 2 === 0 ? turns : turns.reverse()) times[kind].push(await measure())
}
socket.close()
await server.stop()

const p95 = (all) => all.toSorted((one, other) => one - other)[Math.floor(all.length * 0.95)]
console.log(
  table(
    Object.entries(times).map(([kind, all]) => ({
      "To the first line of a program": kind,
      "p50, ms": median(all).toFixed(1),
      "p95, ms": p95(all).toFixed(1),
      "above spawn, p50, ms": (median(all) - median(times["spawn alone"])).toFixed(1)
    }))
  )
)
