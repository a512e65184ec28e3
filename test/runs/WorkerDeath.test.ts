import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Layer, type Scope } from "effect"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { assertNobodyStrays, assertRunsSound } from "../crash/RunInvariants.ts"
import { agentProcesses, leaveNobody } from "../support/AgentProcesses.ts"
import { ask, createTask, getTask } from "../support/Board.ts"
import { runs } from "../support/Child.ts"
import * as Process from "../support/Process.ts"
import { complete, shownSuccess, start, startGateway } from "../support/Runs.ts"
import { type BegunAttempt, beginScript, configureScripts, endOf, until } from "../support/ScriptedAgents.ts"
import { steppedClock } from "../support/SteppedClock.ts"
import { temporaryDirectory, World, worldAt, worldIn } from "../support/World.ts"

const scripts = {
  // It tells its own number, and that of a child that has left its group.
  works: `setsid sleep 600 &\necho $! > "$MUSTER_RUN_DIR/other"\necho $$ > "$MUSTER_RUN_DIR/own"\nwhile :; do sleep 600; done`,
  leaves: `setsid sleep 600 &\nsleep 0.1`,
  quiet: `echo '{"type":"message","text":"On it"}'; echo $$ > "$MUSTER_RUN_DIR/own"; while :; do sleep 600; done`
}

const limit = 10

/** A number that an agent has written down in its run directory. */
const numberOf = (name: "own" | "other", attemptId: string) =>
  Effect.flatMap(World, ({ directory }) => {
    const look = Effect.sync(() => {
      try {
        return Number(readFileSync(join(directory, "runs", attemptId, name), "utf8"))
      } catch {
        return 0
      }
    })
    return until(look, (found) => found > 0)
  })

const working = Effect.gen(function* () {
  const attempt = yield* beginScript("works")
  const pid = yield* numberOf("own", attempt.attemptId)
  return { ...attempt, pid, other: yield* numberOf("other", attempt.attemptId) }
})

const kill = (pid: number, signal: NodeJS.Signals = "SIGKILL") =>
  Effect.sync(() => {
    process.kill(pid, signal)
  })

/** What a test asks of a server that runs in a process of its own. */
type Asking<A> = (server: Process.ServerProcess) => Effect.Effect<A, never, World | Scope.Scope>

/** A server on a directory, until what is asked of it is done: then it is killed. */
const served = <A>(directory: string, asking: Asking<A>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const server = yield* Process.start(directory)
      return yield* Effect.provideService(asking(server), World, worldAt(server.baseUrl, directory))
    })
  )

/** A directory with agents, in which nobody is left behind by a test that failed. */
const place = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  yield* leaveNobody(directory)
  return directory
})

/** Each attempt stands in one state, and no process works for one that is over. */
const sound = (directory: string) =>
  Effect.zipRight(assertNobodyStrays(directory), assertRunsSound(directory, limit))

const resultOf = (taskId: string) => Effect.map(endOf(taskId), ({ completionResult }) => completionResult)

const attemptsAt = (taskId: string) =>
  Effect.map(getTask(taskId), ({ attempts }) =>
    (attempts as ReadonlyArray<{ id: string }>).map(({ id }) => id)
  )

describe("an agent that dies", () => {
  it.scopedLive("alone or with its group, or leaves a child behind, takes all of its processes with it", () =>
    Effect.gen(function* () {
      const directory = yield* place
      yield* served(directory, () =>
        Effect.gen(function* () {
          yield* configureScripts(scripts)
          const alone = yield* working
          yield* kill(alone.pid)
          const grouped = yield* working
          yield* kill(-grouped.pid)
          for (const { attemptId, taskId } of [alone, grouped]) {
            const { harnessEvidence, status, terminalSource } = yield* resultOf(taskId)
            assert.deepStrictEqual([status, terminalSource], ["failed", "process"])
            assert.deepStrictEqual(harnessEvidence.exit, { code: null, signal: "SIGKILL" })
            assert.deepStrictEqual(yield* attemptsAt(taskId), [attemptId])
          }
          const left = yield* beginScript("leaves")
          assert.deepInclude(yield* resultOf(left.taskId), { status: "success", terminalSource: "process" })
          yield* sound(directory)
          assert.deepStrictEqual(agentProcesses(directory), [])
          const { state } = yield* until(
            ask("GET", `/api/agents/${alone.taskId}/recovery`),
            (recovery) => recovery !== null
          )
          assert.strictEqual(state, "scheduled")
        })
      )
    })
  )
})

describe("a server that is killed while agents work", () => {
  const agents = configureScripts(scripts)

  it.scopedLive(
    "leaves them for its next start to end, whoever died with it, and starts none of them again",
    () =>
      Effect.gen(function* () {
        const directory = yield* place
        const [orphan, dead, stopped] = yield* served(directory, ({ end }) =>
          Effect.gen(function* () {
            yield* agents
            const all = [yield* working, yield* working, yield* working] as const
            const [, dead, stopped] = all
            yield* kill(-stopped.pid, "SIGSTOP")
            yield* Effect.all([end("SIGKILL"), kill(-dead.pid)], { concurrency: 2 })
            return all
          })
        )
        assert.isTrue(runs(orphan.pid) && runs(orphan.other) && runs(stopped.pid))
        yield* served(directory, () =>
          Effect.gen(function* () {
            yield* sound(directory)
            assert.deepStrictEqual(agentProcesses(directory), [])
            for (const { attemptId, taskId } of [orphan, dead, stopped]) {
              const result = yield* resultOf(taskId)
              assert.deepInclude(result, { status: "interrupted", terminalSource: "restart" })
              assert.notProperty(result.harnessEvidence, "exit", "nobody saw how it ended")
              assert.deepStrictEqual(yield* attemptsAt(taskId), [attemptId])
              assert.strictEqual((yield* getTask(taskId)).status, "in-progress")
            }
          })
        )
      })
  )

  it.scopedLive("does nothing to a stranger who has got the number of a process that is written down", () =>
    Effect.gen(function* () {
      const directory = yield* place
      const attempt = yield* served(directory, ({ end }) =>
        Effect.gen(function* () {
          yield* agents
          const attempt = yield* working
          yield* kill(-attempt.pid)
          yield* end("SIGKILL")
          return attempt
        })
      )
      const stranger = yield* Effect.acquireRelease(
        Effect.sync(() => spawn("sleep", ["600"], { detached: true, stdio: "ignore" })),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const { pid = 0 } = stranger
      yield* Effect.sync(() => {
        const database = new Database(join(directory, "muster.db"))
        const { changes } = database
          .prepare("UPDATE processes SET pid = ? WHERE attempt_id = ?")
          .run(pid, attempt.attemptId)
        database.close()
        assert.strictEqual(changes, 1)
      })
      yield* served(directory, () =>
        Effect.gen(function* () {
          assert.deepInclude(yield* resultOf(attempt.taskId), { status: "interrupted" })
          yield* sound(directory)
          assert.isFalse(runs(attempt.other), "its own child carries its mark")
        })
      )
      assert.isTrue(runs(pid))
    })
  )
})

/** A server on a directory that lives by a clock, in this process. */
const clocked =
  (directory: string, { layer }: ReturnType<typeof steppedClock>) =>
  <A, E>(asked: Effect.Effect<A, E, World | Storage | Scope.Scope>) =>
    asked.pipe(Effect.provide(worldIn(directory).pipe(Layer.provide(layer))))

const findingsOf = ({ attemptId, taskId }: BegunAttempt) =>
  Effect.map(
    ask("GET", `/api/agents/${taskId}/watchdog?attemptId=${attemptId}`),
    ({ findings }) => findings as ReadonlyArray<{ kind: string }>
  )

const stop = ({ attemptId, taskId }: BegunAttempt) =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `/api/agents/${taskId}/stop`, { body: { attemptId } })
  )

const room = (count: number) =>
  ask("PATCH", "/api/settings/features", {
    as: "admin",
    body: { admission: { limits: { workspace: { runs: count } } } }
  })

describe("an agent that is halted by a signal", () => {
  it.scopedLive("is found silent, and stopping it ends it", () =>
    Effect.gen(function* () {
      const directory = yield* place
      const clock = steppedClock()
      yield* Effect.gen(function* () {
        yield* configureScripts(scripts)
        const attempt = yield* beginScript("quiet")
        const pid = yield* numberOf("own", attempt.attemptId)
        yield* until(
          ask("GET", `/api/agents/${attempt.taskId}/attempts/${attempt.attemptId}/events`),
          ({ events }) => events.length === 1
        )
        yield* kill(-pid, "SIGSTOP")
        yield* clock.step("11 minutes")
        const [finding] = yield* until(findingsOf(attempt), ({ length }) => length > 0)
        assert.strictEqual(finding?.kind, "silence")
        const { body } = yield* stop(attempt)
        assert.deepInclude(body, { status: "interrupted" })
        assert.deepStrictEqual(agentProcesses(directory), [])
        yield* sound(directory)
      }).pipe(clocked(directory, clock))
    })
  )
})

describe("a clock that jumps", () => {
  it.scopedLive("ends nothing that lives, whichever way it jumps, and lets each that waited begin once", () =>
    Effect.gen(function* () {
      const directory = yield* place
      const clock = steppedClock()
      yield* clock.step("20000 days")
      yield* Effect.gen(function* () {
        yield* configureScripts(scripts)
        yield* room(2)
        const managed = yield* working
        const external = yield* startGateway()
        const { id } = yield* createTask()
        const { body } = yield* start(id, { agent: "quiet" })
        assert.strictEqual(body.status, "queued")
        // Whoever works elsewhere and is not heard of for a lease runs on without its share, which is free then.
        yield* clock.step("1 day")
        const waited = yield* until(
          ask("GET", `/api/agents/${id}/status`),
          ({ status }) => status === "running"
        )
        assert.strictEqual(waited.attemptId, body.attemptId)
        yield* clock.set(clock.now() - 365 * 86_400_000)
        yield* clock.step("1 hour")
        const held = yield* ask("GET", "/api/admission?state=active")
        assert.sameMembers(
          held.map(({ attemptBinding }: { attemptBinding: BegunAttempt }) => attemptBinding.attemptId),
          [managed.attemptId, body.attemptId]
        )
        const late = yield* complete(external, shownSuccess)
        assert.deepStrictEqual([late.status, late.body.status], [200, "success"])
        for (const attempt of [managed, { taskId: id, attemptId: body.attemptId }]) {
          assert.strictEqual((yield* ask("GET", `/api/agents/${attempt.taskId}/status`)).status, "running")
          assert.deepInclude((yield* stop(attempt)).body, { status: "interrupted" })
          assert.lengthOf(yield* attemptsAt(attempt.taskId), 1)
        }
        const told = yield* ask("GET", "/api/telemetry/events?type=run.completed")
        for (const { durationMs } of told) assert.isAtLeast(durationMs, 0)
        yield* sound(directory)
      }).pipe(clocked(directory, clock))
    })
  )
})

describe("an attempt that had got room when its server died", () => {
  /** Leaves an attempt of a recovery or of a start as it is between its dispatch and its launch. */
  const dispatched = (attemptId: string) =>
    Effect.flatMap(Storage, ({ write }) =>
      write(
        Effect.all([
          run(sql`UPDATE attempts SET state = 'starting' WHERE id = ${attemptId}`),
          run(
            sql`UPDATE admission_queue SET state = 'dispatched', ended_at = 1 WHERE attempt_id = ${attemptId}`
          )
        ])
      )
    )

  /** A board with room for one run, which an agent elsewhere has, and whatever waits for it. */
  const full = Effect.gen(function* () {
    yield* configureScripts({ ...scripts, fails: "exit 1" })
    yield* room(1)
    return yield* startGateway()
  })

  it.scopedLive("waits once more when its room was taken back meanwhile, and begins once", () =>
    Effect.gen(function* () {
      const directory = yield* place
      const on = clocked(directory, steppedClock())
      const { external, waiting } = yield* on(
        Effect.gen(function* () {
          const external = yield* full
          const { id } = yield* createTask()
          const { body } = yield* start(id, { agent: "leaves" })
          yield* dispatched(body.attemptId)
          return { external, waiting: { taskId: id, attemptId: body.attemptId } }
        })
      )
      yield* on(
        Effect.gen(function* () {
          const { entries } = yield* until(
            ask("GET", "/api/admission/queue?state=queued"),
            (found) => found.entries.length === 1
          )
          assert.strictEqual((yield* getTask(waiting.taskId)).status, "todo")
          assert.deepStrictEqual(entries[0].limitingScopes, [{ scope: "workspace", scopeId: "default" }])
          yield* complete(external, shownSuccess)
          const { attemptId, status } = yield* endOf(waiting.taskId)
          assert.deepStrictEqual([attemptId, status], [waiting.attemptId, "success"])
          assert.lengthOf(yield* attemptsAt(waiting.taskId), 1)
        })
      )
    })
  )

  it.scopedLive(
    "begins once as the child of a recovery, and not at all on a task that is finished by then",
    () =>
      Effect.gen(function* () {
        const directory = yield* place
        const clock = steppedClock()
        const on = clocked(directory, clock)
        const recovering = Effect.gen(function* () {
          const { id } = yield* createTask()
          yield* start(id, { agent: "fails" })
          yield* endOf(id)
          yield* until(ask("GET", `/api/agents/${id}/recovery`), (recovery) => recovery !== null)
          return String(id)
        })
        const [open, finished] = yield* on(
          Effect.gen(function* () {
            yield* configureScripts({ ...scripts, fails: "exit 1" })
            const open = yield* recovering
            const finished = yield* recovering
            yield* startGateway()
            yield* room(1)
            yield* clock.step("30 seconds")
            for (const taskId of [open, finished]) {
              const { childAttemptId } = yield* until(
                ask("GET", `/api/agents/${taskId}/recovery`),
                ({ state }) => state === "launched"
              )
              yield* dispatched(childAttemptId)
            }
            yield* ask("PATCH", `/api/tasks/${finished}`, { body: { status: "done" } })
            yield* room(10)
            return [open, finished] as const
          })
        )
        yield* on(
          Effect.gen(function* () {
            const begun = yield* until(
              ask("GET", `/api/agents/${open}/status`),
              ({ status }) => status === "failed"
            )
            assert.strictEqual((yield* attemptsAt(open)).length, 2)
            assert.strictEqual((yield* attemptsAt(open)).at(-1), begun.attemptId)
            const { completionResult } = yield* endOf(finished)
            assert.deepInclude(completionResult, { status: "interrupted", terminalSource: "cancel" })
            assert.strictEqual((yield* getTask(finished)).status, "done")
          })
        )
      })
  )
})

describe("a run whose end the store does not take", () => {
  it.scopedLive("is written down as over once it does, and keeps nothing until the next start", () =>
    Effect.gen(function* () {
      const directory = yield* place
      const on = clocked(directory, steppedClock())
      yield* on(
        Effect.gen(function* () {
          const { write } = yield* Storage
          yield* configureScripts({ ...scripts, brief: "exit 0" })
          yield* write(
            run(
              sql`
                CREATE TRIGGER full BEFORE UPDATE OF result ON attempts
                BEGIN SELECT RAISE(ABORT, 'no room'); END`
            )
          )
          const { taskId } = yield* beginScript("brief")
          yield* until(
            Effect.sync(() => agentProcesses(directory)),
            ({ length }) => length === 0
          )
          assert.strictEqual((yield* ask("GET", `/api/agents/${taskId}/status`)).status, "running")
          yield* write(run(sql`DROP TRIGGER full`))
          assert.strictEqual((yield* endOf(taskId)).status, "success")
          yield* sound(directory)
        })
      )
    })
  )
})
