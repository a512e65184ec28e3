// B3 while 50 runs talk: durable PATCHes of 50 clients, alone and while events of a kilobyte are stored, in turns on one
// server; at a pace that a board full of agents has, and as fast as they are taken.
import { median, seed, startRaw, table, temporaryDirectory, wrk } from "./world.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

for (const [pace, pauseMs] of [
  ["2,000 events a second at the most", 500],
  ["as many events as are taken", 0]
]) {
  const directory = temporaryDirectory()
  // Each run patches 5,000 tasks of its own.
  await seed(directory, (2 * rounds + 1) * 5_000)
  const server = await startRaw(directory, 4103, "journal-server.mjs", { BENCH_PAUSE_MS: `${pauseMs}` })
  let part = 0
  const patch = () => {
    const run = wrk(`${server.baseUrl}/`, { script: "patch.lua", env: { HALF: String(part++) }, seconds })
    if (run.failed > 0) throw new Error(`${run.failed} requests failed`)
    return run
  }
  patch()
  const results = { alone: [], during: [] }
  for (let round = 0; round < rounds; round++)
    for (const kind of round % 2 === 0 ? ["alone", "during"] : ["during", "alone"]) {
      if (kind === "during") process.kill(server.pid, "SIGUSR2")
      results[kind].push(patch())
      if (kind === "during") process.kill(server.pid, "SIGUSR2")
      await pause(500)
    }
  const of = (kind, name) => median(results[kind].map((one) => one[name]))
  console.log(
    table(
      ["alone", "during"].map((kind) => ({
        [`PATCH beside ${pace}`]: kind,
        "/s": Math.round(of(kind, "perSecond")),
        "of alone": (of(kind, "perSecond") / of("alone", "perSecond")).toFixed(2),
        "p50 ms": of(kind, "p50").toFixed(1),
        "p99 ms": of(kind, "p99").toFixed(1)
      }))
    )
  )
  await server.stop()
}
