// B8: 64 slots and 10,000 launches that wait. Each that begins renews its lease once and gives its slot back, and the
// next one begins. Beside BullMQ on a Redis that syncs its log at each write, which takes a job, extends its lock and
// completes it, in 64 loops. Both keep everything over a power cut; Muster writes the audit chain besides.
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Effect, Exit, Layer, Scope } from "effect"
import { loadSource } from "../build/programs.mjs"
import { median, table, temporaryDirectory } from "./world.mjs"

const { FeatureSettings } = await loadSource("src/board/settings/FeatureSettings.ts")
const Admission = await loadSource("src/governance/admission/Units.ts")
const { LaunchSource } = await loadSource("src/governance/capacity/AdmissionRequest.ts")
const { Dispatch } = await loadSource("src/governance/queue/Dispatch.ts")
const { DispatchQueue } = await loadSource("src/governance/queue/DispatchQueue.ts")
const { admit } = await loadSource("src/governance/queue/Units.ts")
const { Standing } = await loadSource("src/identity/Standing.ts")
const { system } = await loadSource("src/kernel/Actor.ts")
const { Workers } = await loadSource("src/kernel/Worker.ts")
const { moves } = await loadSource("src/storage/Sql.ts")
const { Storage } = await loadSource("src/storage/Storage.ts")

process.setMaxListeners(1_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const total = Number(process.env.BENCH_LAUNCHES ?? 10_000)
const slots = 64

const requestOf = (attemptId) => ({
  schemaVersion: "admission-request/v1",
  source: "manual",
  priority: "medium",
  workspaceId: "default",
  provider: "command",
  hostId: "bench",
  taskId: `task-${attemptId}`,
  rootTaskId: `task-${attemptId}`,
  attemptId,
  capacity: { runs: 1, processes: 1, memoryMb: 0 },
  tree: {
    schemaVersion: "execution-tree-identity/v1",
    rootObjectiveId: `task-${attemptId}`,
    nodeId: `node-${attemptId}`,
    parentNodeId: null,
    depth: 0
  }
})

/** The value below which 99 of 100 lie. */
const p99 = (all) => all.toSorted((one, other) => one - other)[Math.floor(all.length * 0.99)] ?? 0

/** What a round came to: operations a second (claim, renew, release), and how long a free slot stood empty. */
const result = (milliseconds, waits) => ({
  perSecond: (3 * total * 1_000) / milliseconds,
  dispatch: p99(waits)
})

const muster = async () => {
  const begun = []
  const dispatcher = {
    sources: LaunchSource.literals,
    dispatch: ({ request }) =>
      Effect.as(
        Effect.tap(moves("bench"), () => Effect.sync(() => begun.push(request.attemptId))),
        { _tag: "Begun" }
      ),
    withdraw: () => Effect.void
  }
  const layer = Layer.mergeAll(
    Layer.succeed(Dispatch, [dispatcher]),
    Layer.succeed(Standing, { now: (founder) => Effect.succeed({ ...founder, permissions: new Set() }) }),
    Workers.layer,
    Storage.layerSqlite({ directory: temporaryDirectory() }).pipe(Layer.provide(NodeContext.layer))
  )
  const scope = Effect.runSync(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  const run = (effect) => Effect.runPromise(Effect.provide(effect, context))
  const { onMove, write } = await run(Storage)
  const limits = { workspace: { runs: slots } }
  await run(
    Effect.flatMap(FeatureSettings, ({ patch }) =>
      patch({ admission: { limits, queue: { maxEntries: 1_000_000 } } }, system)
    ).pipe(Effect.provide(FeatureSettings.layer))
  )
  const names = Array.from({ length: total + slots }, (_, index) => `attempt-${index}`)
  await run(
    Effect.forEach(names, (name) => write(admit(requestOf(name), system)), {
      concurrency: 1_000,
      discard: true
    })
  )
  const waits = []
  const free = []
  let ended = 0
  const live = (name) =>
    Effect.gen(function* () {
      yield* write(Admission.renew(name, 60_000))
      yield* write(Admission.release(name, { reason: "attempt-ended", by: system }))
      free.push(performance.now())
      ended += 1
    })
  const started = performance.now()
  await run(
    Effect.scoped(
      Effect.gen(function* () {
        const done = yield* Effect.makeLatch()
        yield* onMove(["bench"], () => {
          for (const name of begun.splice(0)) {
            const since = free.shift()
            if (since !== undefined) waits.push(performance.now() - since)
            Effect.runFork(Effect.tap(live(name), () => (ended === names.length ? done.open : Effect.void)))
          }
        })
        yield* Layer.build(DispatchQueue)
        yield* Effect.forEach(names.slice(0, slots), live, { concurrency: "unbounded", discard: true })
        yield* done.await
      })
    )
  )
  const spent = performance.now() - started
  await Effect.runPromise(Scope.close(scope, Exit.void))
  return result(spent, waits)
}

const port = "6399"

const bullmq = async () => {
  const { Queue, Worker } = await import("bullmq")
  const directory = temporaryDirectory()
  const redis = spawn(
    "redis-server",
    ["--port", port, "--dir", directory, "--appendonly", "yes", "--appendfsync", "always", "--save", ""],
    { stdio: "ignore" }
  )
  const connection = { host: "127.0.0.1", port: Number(port), maxRetriesPerRequest: null }
  const queue = new Queue("bench", { connection })
  await queue.waitUntilReady()
  await queue.addBulk(
    Array.from({ length: total }, (_, index) => ({ name: "launch", data: requestOf(`attempt-${index}`) }))
  )
  const worker = new Worker("bench", null, { connection, lockDuration: 60_000 })
  await worker.waitUntilReady()
  const waits = []
  const loop = async (token) => {
    for (let freed; ; freed = performance.now()) {
      const job = await worker.getNextJob(token, { block: false })
      if (job === undefined) return
      if (freed !== undefined) waits.push(performance.now() - freed)
      await job.extendLock(token, 60_000)
      await job.moveToCompleted("done", token, false)
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: slots }, (_, index) => loop(`slot-${index}`)))
  const spent = performance.now() - started
  await worker.close()
  await queue.close()
  // The next round takes the same port.
  const gone = once(redis, "exit")
  redis.kill()
  await gone
  return result(spent, waits)
}

const hasRedis = () => {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" })
    return import.meta.resolve("bullmq") !== undefined
  } catch {
    return false
  }
}

const rows = []
for (const [store, measure] of [
  ["Muster, with its audit chain", muster],
  ...(hasRedis() ? [["BullMQ, Redis with appendfsync always", bullmq]] : [])
]) {
  const all = []
  for (let round = 0; round < rounds; round++) all.push(await measure())
  rows.push({
    "": store,
    "claims, renewals and releases a second": Math.round(
      median(all.map(({ perSecond }) => perSecond))
    ).toLocaleString("en"),
    "p99 until a free slot is taken": `${median(all.map(({ dispatch }) => dispatch)).toFixed(1)} ms`
  })
}
process.stdout.write(`${table(rows)}\n`)
if (!hasRedis()) process.stdout.write("\nBullMQ was not measured: there is no redis-server, or no bullmq.\n")
process.exit(0)
