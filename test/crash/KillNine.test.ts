import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Config, Console, Effect, Exit, Random } from "effect"
import { agentProcesses, leaveNobody } from "../support/AgentProcesses.ts"
import * as Process from "../support/Process.ts"
import { copyOf, restore } from "../support/Restore.ts"
import { until } from "../support/ScriptedAgents.ts"
import { send, temporaryDirectory, World, worldAt } from "../support/World.ts"
import { assertSound } from "./Invariants.ts"
import { assertKeysCount, assertNobodyStrays, assertNothingLeft, assertRunsSound } from "./RunInvariants.ts"
import {
  assertStartedOnce,
  findRuns,
  furnishRuns,
  makeRunWriter,
  type RunWriter,
  roomFor,
  runUntilDeath
} from "./RunWriter.ts"
import { findEverything, makeWriter, replayMoves, type Writer, writeUntilDeath } from "./Writer.ts"

/** So often a directory is crashed before a new one is taken, so that checking it stays quick. */
const killsPerDirectory = 20

/** How many of a directory's acknowledged moves are repeated after each crash. */
const replayLimit = 150

/** How long a start may take after a crash, in milliseconds: a second on a quiet machine, more beside other tests. */
const startLimit = 3_000

/** `npm run crash` raises the number of kills; a seed makes the same choices again. */
const options = Config.all({
  kills: Config.withDefault(Config.integer("CRASH_KILLS"), 3),
  seed: Config.withDefault(Config.integer("CRASH_SEED"), process.pid)
})

/** Who works on a board while its server is killed: eight write tasks, and four start runs and do things to them. */
const makeWriters = () => ({
  writers: Arr.makeBy(8, (index) => makeWriter(`writer-${index}`)),
  runWriters: Arr.makeBy(4, (index) => makeRunWriter(`runner-${index}`))
})

interface Writers {
  readonly writers: ReadonlyArray<Writer>
  readonly runWriters: ReadonlyArray<RunWriter>
}

const callsOf = ({ runWriters }: Writers): number =>
  Arr.reduce(runWriters, 0, (sum, writer) => sum + writer.acknowledged.length)

/** Waits until something was done to a run since. */
const oneMoreCall = (all: Writers) =>
  Effect.suspend(() => {
    const before = callsOf(all)
    return until(
      Effect.sync(() => callsOf(all)),
      (calls) => calls > before
    )
  })

/** They write until the server is killed in the middle of it, every second time not before a run was touched. */
const crash = ({ baseUrl, end }: Process.ServerProcess, all: Writers, kill: number) =>
  Effect.gen(function* () {
    const { runWriters, writers } = all
    const untilKill = yield* Random.nextIntBetween(50, 500)
    const busy = kill % 2 === 0 ? oneMoreCall(all) : Effect.void
    const unbounded = { concurrency: "unbounded", discard: true } as const
    yield* Effect.all(
      [
        Effect.forEach(writers, (writer) => writeUntilDeath(writer, baseUrl), unbounded),
        Effect.forEach(runWriters, (writer) => runUntilDeath(writer, baseUrl), unbounded),
        Effect.zipRight(busy, Effect.delay(end("SIGKILL"), untilKill))
      ],
      { concurrency: "unbounded" }
    )
  })

/** Kills a server that is still starting, anywhere between its first instruction and its greeting. */
const crashWhileStarting = (directory: string) =>
  Effect.flatMap(Random.nextIntBetween(200, 1_000), (milliseconds) =>
    Effect.scoped(Effect.timeoutOption(Process.start(directory), milliseconds))
  )

const sample = (moves: ReadonlyArray<Writer["moves"][number]>) =>
  Effect.map(Random.shuffle(moves), (shuffled) => [...shuffled].slice(0, replayLimit))

/** The audit chain holds together, and has not lost the end that was signed apart from it. */
const verifyAudit = (server: Process.ServerProcess) =>
  Effect.map(send(server.baseUrl, "GET", "/api/audit/verify", { as: "admin" }), ({ body }) =>
    assert.deepInclude(body, { valid: true })
  )

/** Every task that is there is found by its id: the index has taken in what was acknowledged before the crash. */
const findBySearch = (server: Process.ServerProcess, { tasks }: Writer) =>
  Effect.gen(function* () {
    const last = [...tasks.keys()].at(-1)
    if (last === undefined) return
    const { body } = yield* send(server.baseUrl, "POST", "/api/search", { body: { query: last } })
    assert.strictEqual(body.results[0]?.id, last)
  })

/** What must be true of a server that comes back after a crash. */
const check = (directory: string, server: Process.ServerProcess, { runWriters, writers }: Writers) =>
  Effect.gen(function* () {
    yield* assertSound(directory)
    yield* assertRunsSound(directory, roomFor)
    yield* replayMoves(yield* sample(writers.flatMap(({ moves }) => moves)), server.baseUrl)
    for (const writer of writers) {
      yield* findEverything(writer, server.baseUrl)
      yield* findBySearch(server, writer)
    }
    for (const writer of runWriters) yield* findRuns(writer, server.baseUrl)
    yield* verifyAudit(server)
    yield* assertKeysCount(directory)
    yield* assertNobodyStrays(directory)
    yield* assertNothingLeft(directory)
    yield* assertRunsSound(directory, roomFor)
    yield* assertSound(directory)
  })

/** A board with agents, and with tokens that a copy of it knows: those are revoked one after another. */
const furnish = (directory: string, place: string, kills: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* Process.start(directory)
      yield* Effect.provideService(furnishRuns(place), World, worldAt(server.baseUrl, directory))
      const tokens = yield* Effect.replicateEffect(
        Effect.map(
          send(server.baseUrl, "POST", "/api/auth/tokens", {
            as: "admin",
            body: { name: "ci", role: "agent" }
          }),
          ({ body }): Token => body
        ),
        kills
      )
      yield* server.end("SIGTERM")
      return { tokens: [...tokens], revoked: [] as Token[] }
    })
  )

interface Token {
  readonly id: string
  readonly token: string
}

type Revoker = Effect.Effect.Success<ReturnType<typeof furnish>>

/** Revokes a token while the server is about to die: what it acknowledges counts for ever. */
const revokeOne = ({ revoked, tokens }: Revoker, baseUrl: string) =>
  Effect.gen(function* () {
    const token = tokens.shift()
    if (token === undefined) return
    yield* Effect.sleep(yield* Random.nextIntBetween(0, 500))
    const answer = yield* Effect.exit(
      send(baseUrl, "DELETE", `/api/auth/tokens/${token.id}`, { as: "admin" })
    )
    if (Exit.isSuccess(answer) && answer.value.status === 204) revoked.push(token)
  })

/** No token that was revoked opens anything. */
const checkRevoked = ({ revoked }: Revoker, baseUrl: string) =>
  Effect.forEach(revoked, ({ id, token }) =>
    Effect.map(
      send(baseUrl, "GET", "/api/tasks", { as: null, headers: { "x-api-key": token } }),
      ({ status }) => assert.strictEqual(status, 401, `${id} was revoked and opens the door again`)
    )
  )

/** Brings back the copy of the beginning, after all those crashes: what was revoked since stays revoked. */
const checkRestored = (directory: string, copy: string, revoker: Revoker) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* restore(copy, directory)
      const server = yield* Process.start(directory)
      yield* checkRevoked(revoker, server.baseUrl)
      yield* verifyAudit(server)
    })
  )

/** Crashes one directory again and again; gives how long each start took and how many writes were acknowledged. */
const crashDirectory = (kills: number) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const place = yield* temporaryDirectory
    yield* leaveNobody(directory)
    const revoker = yield* furnish(directory, place, kills)
    const copy = yield* copyOf(directory)
    const all = makeWriters()
    const starts: Array<number> = []
    for (let kill = 0; kill <= kills; kill++) {
      if (kill % 2 === 1) yield* crashWhileStarting(directory)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* Process.start(directory)
          starts.push(server.startMs)
          yield* check(directory, server, all)
          yield* checkRevoked(revoker, server.baseUrl)
          if (kill < kills) {
            yield* Effect.all([crash(server, all, kill), revokeOne(revoker, server.baseUrl)], {
              concurrency: "unbounded"
            })
          } else {
            yield* server.end("SIGTERM")
            assert.deepStrictEqual(agentProcesses(directory), [], "agents of a server that stopped in order")
          }
        })
      )
    }
    assertStartedOnce(place)
    yield* checkRestored(directory, copy, revoker)
    return {
      starts,
      acknowledged: Arr.reduce(all.writers, 0, (sum, writer) => sum + writer.acknowledged),
      calls: callsOf(all)
    }
  })

describe("a server that is killed while it writes and runs agents", () => {
  it.scopedLive(
    "has kept every write that it acknowledged, and is sound and ready within seconds",
    () =>
      Effect.gen(function* () {
        const { kills, seed } = yield* options
        const rounds = Arr.chunksOf(Arr.range(1, kills), killsPerDirectory)
        const results = yield* Effect.forEach(rounds, (round) =>
          Effect.scoped(crashDirectory(round.length))
        ).pipe(
          Effect.withRandom(Random.make(seed)),
          Effect.onError(() => Console.error(`CRASH_SEED=${seed} CRASH_KILLS=${kills}`))
        )
        const starts = results.flatMap((result) => result.starts).sort((left, right) => left - right)
        const acknowledged = Arr.reduce(results, 0, (sum, result) => sum + result.acknowledged)
        const calls = Arr.reduce(results, 0, (sum, result) => sum + result.calls)
        const median = starts[Math.trunc(starts.length / 2)] ?? 0
        assert.isAbove(acknowledged, kills * 10)
        assert.isAtLeast(calls, kills / 2)
        assert.isBelow(median, startLimit, "milliseconds from the start of the process to its greeting")
        yield* Console.log(
          `CRASH_SEED=${seed}: ${kills} kills, ${acknowledged} acknowledged writes, ${calls} acknowledged calls about runs, ready in ${Math.round(median)} ms`
        )
      }),
    { timeout: 3_600_000 }
  )
})
