// B1, B2 and B3: reads, lists and durable conditional writes over HTTP, beside the raw comparator.
// Rounds alternate between the two servers; the figures are medians.
import { median, seed, startMuster, startRaw, table, temporaryDirectory, wrk } from "./world.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)

const workloads = [
  { name: "B1 GET /tasks/:id", path: "/api/tasks/task_1", script: "get.lua", connections: 50 },
  { name: "B2 GET /tasks?limit=50", path: "/api/tasks?limit=50", connections: 50 },
  { name: "B2 GET /tasks, 10,000", path: "/api/tasks", connections: 2 }
].filter(({ name }) => name.includes(process.env.BENCH_ONLY ?? ""))

const measure = (server, { connections, path, script }) =>
  wrk(`${server.baseUrl}${path}`, { connections, seconds, script })

const summarize = (name, muster, raw) => ({
  Workload: name,
  "Muster /s": Math.round(median(muster.map((run) => run.perSecond))),
  "raw /s": Math.round(median(raw.map((run) => run.perSecond))),
  Ratio: (median(muster.map((run) => run.perSecond)) / median(raw.map((run) => run.perSecond))).toFixed(2),
  "Muster p50/p90/p99 ms": ["p50", "p90", "p99"]
    .map((at) => median(muster.map((run) => run[at])).toFixed(1))
    .join(" / "),
  "raw p50/p99 ms": ["p50", "p99"].map((at) => median(raw.map((run) => run[at])).toFixed(1)).join(" / ")
})

const results = []
const directories = { muster: temporaryDirectory(), raw: temporaryDirectory() }
await seed(directories.muster, 10_000)
await seed(directories.raw, 10_000)

const muster = await startMuster(directories.muster)
const raw = await startRaw(directories.raw)
for (const workload of workloads) {
  const runs = { muster: [], raw: [] }
  for (const server of [muster, raw]) measure(server, { ...workload })
  for (let round = 0; round < rounds; round++) {
    const order =
      round % 2 === 0
        ? [
            [muster, runs.muster],
            [raw, runs.raw]
          ]
        : [
            [raw, runs.raw],
            [muster, runs.muster]
          ]
    for (const [server, into] of order) into.push(measure(server, workload))
  }
  if ([...runs.muster, ...runs.raw].some((run) => run.failed > 0))
    throw new Error(`${workload.name}: some requests failed`)
  results.push(summarize(workload.name, runs.muster, runs.raw))
}
await muster.stop()
await raw.stop()

// Each round of writes starts from fresh copies, so that the script knows every revision. Both servers first change
// other tasks than those that are measured, as the reads above are warmed up too.
if ("B3 PATCH".includes(process.env.BENCH_ONLY ?? "")) {
  const runs = { muster: [], raw: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [name, startServer] of round % 2 === 0
      ? [
          ["muster", startMuster],
          ["raw", startRaw]
        ]
      : [
          ["raw", startRaw],
          ["muster", startMuster]
        ]) {
      const directory = temporaryDirectory()
      await seed(directory, 10_000)
      const server = await startServer(directory)
      const patch = (half) =>
        wrk(`${server.baseUrl}/api/tasks`, {
          connections: 50,
          seconds,
          script: "patch.lua",
          env: { HALF: half }
        })
      patch("1")
      runs[name].push(patch("0"))
      await server.stop()
    }
  }
  if ([...runs.muster, ...runs.raw].some((run) => run.failed > 0)) throw new Error("B3: some requests failed")
  results.push(summarize("B3 PATCH, durable, If-Match", runs.muster, runs.raw))
}

console.log(table(results))
