// B6: one event to many WebSocket subscribers. Saturated: rounds of 500 events, the next round when everybody has the
// last one; paced: 100 events a second to 1,000 subscribers, event to client.
import { fork, spawn } from "node:child_process"
import { join } from "node:path"
import { key, median, root, seed, startMuster, table, temporaryDirectory } from "./world.mjs"

const rounds = Number(process.env.BENCH_ROUNDS ?? 10)
const perRound = 500

const next = (child, property) =>
  new Promise((resolve, reject) => {
    const listen = (message) => {
      if (message.closed !== undefined) reject(new Error(`a subscriber was closed with ${message.closed}`))
      if (message[property] === undefined) return
      child.off("message", listen)
      resolve(message[property])
    }
    child.on("message", listen)
  })

const subscribe = async (url, count) => {
  const child = fork(join(root, "scratchpad/bench/fanout-clients.mjs"), [url, String(count)])
  await next(child, "ready")
  return child
}

const json = (method, url, body) =>
  fetch(url, {
    method,
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body)
  }).then(async (response) => {
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  })

const saturate = async (clients, subscribers, publish) => {
  const speeds = []
  for (let round = 0; round < rounds; round++) {
    clients.send({ target: perRound })
    const done = next(clients, "done")
    const from = performance.now()
    await publish(round)
    await done
    speeds.push((subscribers * perRound * 1_000) / (performance.now() - from))
  }
  return speeds.slice(2)
}

const directory = temporaryDirectory()
await seed(directory, 10_000)
const taskIds = Array.from({ length: perRound }, (_, index) => `task_${index}`)
const results = []

for (const subscribers of [100, 1_000]) {
  const muster = await startMuster(directory)
  const musterClients = await subscribe(`ws://127.0.0.1:4101/ws?api_key=${key}`, subscribers)
  const ours = await saturate(musterClients, subscribers, (round) =>
    json("POST", `${muster.baseUrl}/api/tasks/bulk-update`, {
      taskIds,
      updates: { description: `Round ${round} ${"x".repeat(200)}` }
    })
  )
  let paced
  if (subscribers === 1_000) {
    musterClients.send({ latencies: true })
    await next(musterClients, "latencies")
    for (let index = 0; index < 500; index++) {
      await Promise.all([
        json("PATCH", `${muster.baseUrl}/api/tasks/task_${index}`, { title: `Paced ${index}` }),
        new Promise((resolve) => setTimeout(resolve, 10))
      ])
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
    musterClients.send({ latencies: true })
    paced = await next(musterClients, "latencies")
  }
  musterClients.kill()
  await muster.stop()

  const bare = spawn(process.execPath, [join(root, "scratchpad/bench/bare-ws.mjs")], {
    env: { ...process.env, SERVICE_PORT: "4103" }
  })
  await new Promise((resolve) => setTimeout(resolve, 500))
  const bareClients = await subscribe("ws://127.0.0.1:4103", subscribers)
  const theirs = await saturate(bareClients, subscribers, () =>
    fetch(`http://127.0.0.1:4103/?count=${perRound}`)
  )
  bareClients.kill()
  bare.kill()
  const at = (share) => (paced === undefined ? "" : `${paced[Math.floor(paced.length * share)]} ms`)
  results.push({
    Workload: `B6 fan-out, ${subscribers} subscribers`,
    "Muster deliveries/s": Math.round(median(ours)),
    "bare ws /s": Math.round(median(theirs)),
    Ratio: (median(ours) / median(theirs)).toFixed(2),
    "p50 at 100/s": at(0.5),
    "p99 at 100/s": at(0.99)
  })
}
console.log(table(results))
process.exit(0)
