// B4: 100 clients claim one task with the same revision, round after round. Exactly one may win each time.
import { Agent, request } from "node:http"
import { key, seed, startMuster, startRaw, table, temporaryDirectory } from "./world.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 1_000)
const clients = 100
const agent = new Agent({ keepAlive: true, maxSockets: clients })

const claim = (port, id, revision, body) =>
  new Promise((resolve, reject) => {
    const from = performance.now()
    const sent = request(
      {
        agent,
        port,
        host: "127.0.0.1",
        method: "PATCH",
        path: `/api/tasks/${id}`,
        headers: {
          "x-api-key": key,
          "content-type": "application/json",
          "content-length": body.length,
          "if-match": `"task:${id}:${revision}"`
        }
      },
      (response) => {
        response.resume()
        response.on("end", () => resolve({ status: response.statusCode, ms: performance.now() - from }))
      }
    )
    sent.on("error", reject)
    sent.end(body)
  })

const run = async (name, server, port) => {
  const losers = []
  let winners = 0
  let wrong = 0
  const from = performance.now()
  for (let round = 0; round < rounds; round++) {
    const body = `{"title":"Claimed in round ${round}"}`
    const answers = await Promise.all(
      Array.from({ length: clients }, () => claim(port, "task_1", round + 1, body))
    )
    const won = answers.filter(({ status }) => status === 200).length
    if (won === 1) winners++
    wrong += answers.filter(({ status }) => status !== 200 && status !== 409).length
    for (const { ms, status } of answers) if (status === 409) losers.push(ms)
  }
  const seconds = (performance.now() - from) / 1_000
  losers.sort((a, b) => a - b)
  await server.stop()
  return {
    Workload: `B4 ${clients} claims of one task, ${name}`,
    "rounds with exactly one winner": `${winners} of ${rounds}`,
    "other answers": wrong,
    "attempts/s": Math.round((rounds * clients) / seconds),
    "409 p50/p99 ms": [0.5, 0.99]
      .map((share) => losers[Math.floor(losers.length * share)].toFixed(1))
      .join(" / ")
  }
}

const results = []
for (const [name, startServer, port] of [
  ["Muster", startMuster, 4101],
  ["raw", startRaw, 4102]
]) {
  const directory = temporaryDirectory()
  await seed(directory, 1_000)
  results.push(await run(name, await startServer(directory), port))
}
console.log(table(results))
process.exit(0)
