// B3 once more, from the client's side: how long a durable PATCH takes, for 50 clients that each wait for their answer
// before they ask again. wrk shares the second core with the server's helpers, so what it has of the last percent is
// also the time that it did not run; this client notes the time at which each answer came in.
import { connect } from "node:net"
import { key, median, seed, startMuster, startRaw, table, temporaryDirectory } from "./world.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const clients = 50

/** One request after another on a connection, each for the next task of a half, based on the revision before. */
const client = (port, next, until, times) =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").setNoDelay(true)
    let sent = 0
    const send = () => {
      if (performance.now() > until) {
        socket.destroy()
        return resolve()
      }
      const { id, revision } = next()
      const body = JSON.stringify({ title: `Patched ${revision}` })
      sent = performance.now()
      socket.write(
        `PATCH /api/tasks/${id} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nIf-Match: "task:${id}:${revision}"\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      )
    }
    socket.on("connect", send)
    socket.on("error", reject)
    socket.on("data", (answer) => {
      if (!answer.toString("latin1", 9, 12).startsWith("200"))
        return reject(new Error(answer.toString("latin1", 0, 200)))
      times.push(performance.now() - sent)
      send()
    })
  })

/** All clients for some seconds over one half of the tasks: the time of each answer in milliseconds, in order. */
const load = async (server, half, forSeconds) => {
  const revisions = new Map()
  let calls = 0
  const next = () => {
    const id = `task_${half * 5_000 + (calls++ % 5_000)}`
    const revision = (revisions.get(id) ?? 0) + 1
    revisions.set(id, revision)
    return { id, revision }
  }
  const times = []
  const until = performance.now() + forSeconds * 1_000
  const port = Number(new URL(server.baseUrl).port)
  await Promise.all(Array.from({ length: clients }, () => client(port, next, until, times)))
  return times.sort((a, b) => a - b)
}

const results = { Muster: [], raw: [] }
for (let round = 0; round < rounds; round++) {
  const servers = [
    ["Muster", startMuster],
    ["raw", startRaw]
  ]
  for (const [name, start] of round % 2 === 0 ? servers : servers.reverse()) {
    const directory = temporaryDirectory()
    await seed(directory, 10_000)
    const server = await start(directory)
    await load(server, 1, 2)
    results[name].push(await load(server, 0, seconds))
    await server.stop()
  }
}

const at = (times, part) => times[Math.floor(times.length * part)]
console.log(
  table(
    Object.entries(results).map(([name, runs]) => ({
      "PATCH, durable, If-Match": name,
      "/s": Math.round(median(runs.map((times) => times.length / seconds))),
      ...Object.fromEntries(
        [0.5, 0.9, 0.99, 0.999].map((part) => [
          `p${part * 100} ms`,
          median(runs.map((times) => at(times, part))).toFixed(1)
        ])
      )
    }))
  )
)
