// What webhooks cost those who change tasks: durable conditional PATCHes without hooks, with ten hooks whose target
// answers at once, and with ten hooks whose target never answers. Rounds alternate; the figures are medians. Then how
// many webhooks are delivered a second, during that load and when nothing else goes on.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { key, median, root, seed, startMuster, table, temporaryDirectory, wrk } from "./world.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const hooks = 10
/** As many tasks as one request changes. */
const burst = 500

const target = spawn(process.execPath, [join(root, "scratchpad/bench/webhook-target.mjs")], {
  env: { ...process.env, SERVICE_PORT: "4104" },
  stdio: ["ignore", "ignore", "inherit"]
})
process.on("exit", () => target.kill())

const json = async (method, url, body) => {
  const response = await fetch(url, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

const delivered = () => json("GET", "http://127.0.0.1:4104/count")

const waitFor = async (condition) => {
  for (let attempt = 0; attempt < 60_000; attempt++) {
    if (await condition().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error("Waited in vain")
}

const serverWith = async (path) => {
  const directory = temporaryDirectory()
  await seed(directory, 10_000)
  const server = await startMuster(directory)
  for (let index = 0; path !== undefined && index < hooks; index++) {
    const action = { type: "webhook", url: `http://127.0.0.1:4104${path}` }
    await json("POST", `${server.baseUrl}/api/hooks`, {
      name: `Hook ${index}`,
      event: "task.updated",
      action
    })
  }
  return server
}

/** One run of the load, and how many webhooks were delivered in each of its seconds. */
const measure = async ({ path }) => {
  const server = await serverWith(path)
  const before = await delivered()
  const run = wrk(`${server.baseUrl}/api/tasks`, { connections: 50, seconds, script: "patch.lua" })
  const count = (await delivered()) - before
  await server.stop()
  if (run.failed > 0) throw new Error("Some requests failed")
  return { ...run, delivered: count / seconds }
}

/** Changes tasks in one request, and waits until everybody has been told. */
const drain = async () => {
  const server = await serverWith("/answer")
  const before = await delivered()
  const from = performance.now()
  await json("POST", `${server.baseUrl}/api/tasks/bulk-update`, {
    taskIds: Array.from({ length: burst }, (_, index) => `task_${index}`),
    updates: { priority: "low" }
  })
  await waitFor(async () => (await delivered()) - before >= hooks * burst)
  const took = (performance.now() - from) / 1_000
  await server.stop()
  return (hooks * burst) / took
}

const workloads = [
  { name: "no hooks" },
  { name: `${hooks} hooks, target answers`, path: "/answer" },
  { name: `${hooks} hooks, target hangs`, path: "/hang" }
]

await waitFor(async () => (await delivered()) >= 0)
const runs = new Map(workloads.map(({ name }) => [name, []]))
for (let round = 0; round < rounds; round++) {
  const order = round % 2 === 0 ? workloads : [...workloads].reverse()
  for (const workload of order) runs.get(workload.name).push(await measure(workload))
}
const at = (name, figure) => median(runs.get(name).map((run) => run[figure]))
console.log(
  table(
    workloads.map(({ name }) => ({
      Workload: `PATCH, durable, If-Match, ${name}`,
      "PATCH /s": Math.round(at(name, "perSecond")),
      "Ratio to no hooks": (at(name, "perSecond") / at("no hooks", "perSecond")).toFixed(2),
      "p50/p90/p99 ms": ["p50", "p90", "p99"].map((figure) => at(name, figure).toFixed(1)).join(" / "),
      "webhooks/s meanwhile": Math.round(at(name, "delivered"))
    }))
  )
)

const drained = []
for (let round = 0; round < rounds; round++) drained.push(await drain())
console.log(
  `\n${hooks} hooks are told of ${burst} changes each: ${Math.round(median(drained))} webhooks a second.`
)
process.exit(0)
