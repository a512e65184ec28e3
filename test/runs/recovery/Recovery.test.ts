import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { iso } from "../../../src/kernel/Time.ts"
import { moves, run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { ask, createTask, getTask } from "../../support/Board.ts"
import { complete, start, startGateway } from "../../support/Runs.ts"
import {
  type BegunAttempt,
  beginScript,
  configureScripts,
  endOf,
  until
} from "../../support/ScriptedAgents.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { type As, temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const claiming = (status: string) =>
  `cat >/dev/null; echo '{"type":"result","status":"${status}","summary":"So it is"}'`

const scripts = {
  fails: "cat >/dev/null; exit 3",
  succeeds: "cat >/dev/null",
  blocked: claiming("blocked"),
  partial: claiming("partial"),
  interrupted: claiming("interrupted"),
  sleeps: "exec sleep 600"
}

const configure = configureScripts(scripts)

const recoveryOf = (taskId: string) => ask("GET", `/api/agents/${taskId}/recovery`)

const cancel = (taskId: string, body: object, as: As = "admin") =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `/api/agents/${taskId}/recovery/cancel`, { as, body })
  )

/** Wakes whoever launches recoveries: it looks at the clock by itself every five seconds. */
const knock = Effect.flatMap(Storage, ({ write }) => write(moves("run-recovery")))

const inState = (taskId: string, state: string) =>
  until(recoveryOf(taskId), (recovery) => recovery?.state === state)

/** The attempts at a task, the oldest first. */
const attemptsOf = (taskId: string) =>
  Effect.map(getTask(taskId), ({ attempts }) => attempts as ReadonlyArray<{ id: string }>)

/** An attempt of an agent that is over. */
const over = (agent: keyof typeof scripts) => Effect.tap(beginScript(agent), ({ taskId }) => endOf(taskId))

/** Lets a recovery launch its child now, whatever the clock says. */
const hasten = (taskId: string) =>
  Effect.flatMap(Storage, ({ write }) =>
    write(
      Effect.zipRight(
        run(sql`UPDATE run_recoveries SET scheduled_for = 0 WHERE task_id = ${taskId}`),
        moves("run-recovery")
      )
    )
  )

const clocked = () => {
  const clock = steppedClock()
  return { ...clock, world: world().pipe(Layer.provide(clock.layer)) }
}

describe("an attempt that fails", () => {
  it.scopedLive("is recovered after 30, 60 and 120 seconds, each time once, and then no more", () => {
    const { now, step, world } = clocked()
    return Effect.gen(function* () {
      yield* configure
      const first = yield* over("fails")
      const { taskId } = first
      let parentAttemptId = first.attemptId
      for (const [index, delay] of [30_000, 60_000, 120_000].entries()) {
        const ended = now()
        const planned = yield* inState(taskId, "scheduled")
        assert.deepInclude(planned, {
          schemaVersion: "run-recovery/v1",
          taskId,
          parentAttemptId,
          attemptNumber: index + 1,
          maxAttempts: 3,
          scheduledFor: iso(ended + delay)
        })
        assert.notProperty(planned, "childAttemptId")
        yield* step(delay - 1)
        yield* knock
        assert.lengthOf(yield* attemptsOf(taskId), index + 1)
        yield* step(1)
        yield* knock
        const children = yield* until(attemptsOf(taskId), ({ length }) => length === index + 2)
        const status = yield* endOf(taskId)
        assert.strictEqual(status.attemptId, children.at(-1)?.id)
        assert.strictEqual(status.parentAttemptId, parentAttemptId)
        assert.strictEqual(status.agent, "fails")
        parentAttemptId = status.attemptId
      }
      const last = yield* inState(taskId, "exhausted")
      assert.deepInclude(last, { parentAttemptId, attemptNumber: 3, scheduledFor: null })
      yield* step("1 day")
      yield* knock
      assert.lengthOf(yield* attemptsOf(taskId), 4)
      assert.strictEqual((yield* cancel(taskId, { attemptId: parentAttemptId })).status, 409)
      const { id } = yield* createTask()
      assert.isNull(yield* recoveryOf(id))
    }).pipe(Effect.provide(world))
  })

  it.scopedLive("is recovered although nothing else happens when the machine wakes from a sleep", () => {
    const { step, world } = clocked()
    return Effect.gen(function* () {
      yield* configure
      const { taskId } = yield* over("fails")
      yield* inState(taskId, "scheduled")
      yield* step("9 hours")
      yield* until(attemptsOf(taskId), ({ length }) => length === 2)
    }).pipe(Effect.provide(world))
  })

  it.scopedLive(
    "begins to count anew when somebody starts it by hand, and that start takes the place of the plan",
    () =>
      Effect.gen(function* () {
        yield* configure
        const { attemptId, taskId } = yield* over("fails")
        yield* inState(taskId, "scheduled")
        const { body } = yield* start(taskId, { agent: "sleeps" })
        const dropped = yield* inState(taskId, "cancelled")
        assert.strictEqual(dropped.parentAttemptId, attemptId)
        assert.include(dropped.reason, body.attemptId)
        yield* ask("POST", `/api/agents/${taskId}/stop`, { body: { attemptId: body.attemptId } })
        const again = yield* start(taskId, { agent: "fails" })
        const { attemptNumber, parentAttemptId } = yield* inState(taskId, "scheduled")
        assert.deepStrictEqual([attemptNumber, parentAttemptId], [1, again.body.attemptId])
      }).pipe(Effect.provide(world()))
  )
})

describe("nothing follows", () => {
  it.scopedLive("a success, a blocked or a partial end, a stop, and an agent that works elsewhere", () =>
    Effect.gen(function* () {
      yield* configure
      const tasks = [yield* over("succeeds"), yield* over("blocked"), yield* over("partial")]
      const stopped = yield* beginScript("sleeps")
      yield* ask("POST", `/api/agents/${stopped.taskId}/stop`, { body: { attemptId: stopped.attemptId } })
      const far = yield* startGateway()
      assert.strictEqual((yield* complete(far, { success: false })).body.status, "failed")
      for (const { attemptId, taskId } of [...tasks, stopped, far]) {
        assert.isNull(yield* recoveryOf(taskId))
        assert.strictEqual((yield* cancel(taskId, { attemptId })).status, 409)
      }
      const { taskId } = yield* over("interrupted")
      assert.strictEqual((yield* recoveryOf(taskId)).state, "scheduled", "an interruption is recovered")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("when the task is no longer worked on at its time", () =>
    Effect.gen(function* () {
      yield* configure
      for (const status of ["done", "todo", "cancelled", "blocked"]) {
        const { taskId } = yield* over("fails")
        yield* inState(taskId, "scheduled")
        yield* ask("PATCH", `/api/tasks/${taskId}`, { body: { status } })
        yield* hasten(taskId)
        const { reason } = yield* inState(taskId, "cancelled")
        assert.include(reason, status)
        assert.strictEqual((yield* getTask(taskId)).status, status)
        assert.lengthOf(yield* attemptsOf(taskId), 1)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("when whoever asked for the attempt may no longer do so", () =>
    Effect.gen(function* () {
      yield* configure
      const made = yield* ask("POST", "/api/auth/tokens", {
        as: "admin",
        body: { name: "CI", role: "agent", scopes: ["task:read", "task:write"] }
      })
      const { id } = yield* createTask()
      const { request } = yield* World
      const started = yield* request("POST", `/api/agents/${id}/start`, {
        as: null,
        headers: { "x-api-key": made.token },
        body: { agent: "fails" }
      })
      assert.strictEqual(started.status, 201, JSON.stringify(started.body))
      yield* endOf(id)
      yield* inState(id, "scheduled")
      yield* ask("DELETE", `/api/auth/tokens/${made.id}`, { as: "admin" })
      yield* hasten(id)
      assert.include((yield* inState(id, "failed")).reason, "no longer allowed")
      assert.lengthOf(yield* attemptsOf(id), 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("when its agent is disabled by then, and it says so", () =>
    Effect.gen(function* () {
      yield* configure
      const { taskId } = yield* over("fails")
      yield* inState(taskId, "scheduled")
      const { agents } = yield* ask("GET", "/api/config", { as: "admin" })
      const disabled = agents.map((agent: object) => ({ ...agent, enabled: false }))
      yield* ask("PUT", "/api/config/agents", { as: "admin", body: { agents: disabled } })
      yield* hasten(taskId)
      assert.include((yield* inState(taskId, "failed")).reason, "disabled")
    }).pipe(Effect.provide(world()))
  )
})

describe("a recovery that finds no room", () => {
  const limits = (queue: object) =>
    ask("PATCH", "/api/settings/features", {
      as: "admin",
      body: { admission: { limits: { workspace: { runs: 1 } }, queue } }
    })

  it.scopedLive("counts as launched while its child waits, and the child goes when the task is closed", () =>
    Effect.gen(function* () {
      yield* configure
      const { taskId } = yield* over("fails")
      yield* inState(taskId, "scheduled")
      const other = yield* beginScript("sleeps")
      yield* limits({ enabled: true })
      yield* hasten(taskId)
      const { childAttemptId, parentAttemptId } = yield* inState(taskId, "launched")
      const waiting = yield* ask("GET", `/api/agents/${taskId}/status`)
      assert.deepInclude(waiting, { attemptId: childAttemptId, status: "queued" })
      assert.strictEqual((yield* cancel(taskId, { attemptId: parentAttemptId })).status, 409)
      yield* ask("PATCH", `/api/tasks/${taskId}`, { body: { status: "done" } })
      yield* ask("POST", `/api/agents/${other.taskId}/stop`, { body: { attemptId: other.attemptId } })
      assert.deepInclude(yield* endOf(taskId), { attemptId: childAttemptId, status: "interrupted" })
      assert.strictEqual((yield* getTask(taskId)).status, "done")
      assert.strictEqual((yield* recoveryOf(taskId)).state, "launched", "and nothing follows that")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is tried again in half a minute when nobody may wait", () => {
    const { step, world } = clocked()
    return Effect.gen(function* () {
      yield* configure
      const { taskId } = yield* over("fails")
      yield* inState(taskId, "scheduled")
      const other = yield* beginScript("sleeps")
      yield* limits({ enabled: false })
      yield* step("30 seconds")
      yield* knock
      const postponed = yield* until(recoveryOf(taskId), ({ reason }) => reason.includes("room"))
      assert.deepInclude(postponed, { state: "scheduled", scheduledFor: iso(60_000) })
      yield* ask("POST", `/api/agents/${other.taskId}/stop`, { body: { attemptId: other.attemptId } })
      yield* step("30 seconds")
      yield* knock
      yield* until(attemptsOf(taskId), ({ length }) => length === 2)
    }).pipe(Effect.provide(world))
  })
})

describe("a restart", () => {
  /** A server on a directory, until what is asked of it is done. */
  const server =
    (directory: string, { layer }: ReturnType<typeof steppedClock>) =>
    <A, E>(effect: Effect.Effect<A, E, World | Storage | Scope.Scope>) =>
      effect.pipe(Effect.provide(worldIn(directory).pipe(Layer.provide(layer))))

  it.scopedLive("loses no recovery and makes none of them twice, wherever it comes", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const clock = steppedClock()
      const on = server(directory, clock)
      // It dies under a run.
      const { attemptId, taskId } = yield* on(
        Effect.zipRight(configureScripts({ sleeps: "exec sleep 600" }), beginScript("sleeps"))
      )
      // It dies once the end is known.
      const ended = yield* on(ask("GET", `/api/agents/${taskId}/status`))
      assert.deepInclude(ended, { attemptId, status: "interrupted" })
      // It dies while the recovery waits.
      const planned = yield* on(inState(taskId, "scheduled"))
      assert.strictEqual(planned.parentAttemptId, attemptId)
      yield* clock.step("1 minute")
      // It dies between the mark and the launch.
      yield* on(
        Effect.gen(function* () {
          const { childAttemptId } = yield* inState(taskId, "launched")
          assert.deepStrictEqual(
            (yield* attemptsOf(taskId)).map(({ id }) => id),
            [attemptId, childAttemptId]
          )
        })
      )
      const second = yield* on(inState(taskId, "scheduled"))
      assert.deepInclude(second, { attemptNumber: 2 })
      yield* on(
        Effect.flatMap(Storage, ({ write }) =>
          write(run(sql`UPDATE run_recoveries SET state = 'launching' WHERE id = ${second.id}`))
        )
      )
      yield* clock.step("2 minutes")
      yield* on(
        Effect.gen(function* () {
          yield* until(attemptsOf(taskId), ({ length }) => length === 3)
          yield* knock
          assert.strictEqual((yield* recoveryOf(taskId)).state, "launched")
        })
      )
      assert.lengthOf(yield* on(attemptsOf(taskId)), 3)
    })
  )

  it.scopedLive("begins what came due while no server ran at once, and leaves alone what was cancelled", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const clock = steppedClock()
      const on = server(directory, clock)
      const [due, dropped] = yield* on(
        Effect.gen(function* () {
          yield* configureScripts({ sleeps: "exec sleep 600", fails: "exit 1" })
          const due = yield* over("fails")
          const dropped = yield* over("fails")
          yield* inState(due.taskId, "scheduled")
          assert.strictEqual((yield* cancel(dropped.taskId, dropped)).status, 200)
          return [due, dropped] as const satisfies ReadonlyArray<BegunAttempt>
        })
      )
      yield* clock.step("3 days")
      yield* on(
        Effect.gen(function* () {
          yield* until(attemptsOf(due.taskId), ({ length }) => length === 2)
          assert.strictEqual((yield* recoveryOf(dropped.taskId)).state, "cancelled")
          assert.lengthOf(yield* attemptsOf(dropped.taskId), 1)
        })
      )
    })
  )
})

describe("cancelling a recovery", () => {
  it.scopedLive("needs agent:write and exactly its parent, and counts once", () =>
    Effect.gen(function* () {
      yield* configure
      const { attemptId, taskId } = yield* over("fails")
      assert.strictEqual((yield* cancel(taskId, { attemptId }, "agent")).status, 403)
      for (const body of [{}, { attemptId: 1 }, { attemptId: null }]) {
        assert.strictEqual((yield* cancel(taskId, body)).status, 400, JSON.stringify(body))
      }
      assert.strictEqual((yield* cancel("task_none", { attemptId })).status, 404)
      assert.strictEqual((yield* cancel(taskId, { attemptId: "attempt_none" })).status, 409)
      assert.strictEqual((yield* recoveryOf(taskId)).state, "scheduled")
      const cancelled = yield* cancel(taskId, { attemptId })
      assert.deepInclude(cancelled.body, { state: "cancelled", parentAttemptId: attemptId })
      const again = yield* cancel(taskId, { attemptId })
      assert.deepStrictEqual([again.status, again.body.code], [409, "CONFLICT"])
      yield* hasten(taskId)
      yield* Effect.sleep("50 millis")
      assert.lengthOf(yield* attemptsOf(taskId), 1)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("stops one that is being launched, and is refused once the child is there", () =>
    Effect.gen(function* () {
      yield* configure
      const { attemptId, taskId } = yield* over("fails")
      yield* inState(taskId, "scheduled")
      const { write } = yield* Storage
      // Nobody launches it: its time has not come.
      yield* write(run(sql`UPDATE run_recoveries SET state = 'launching' WHERE task_id = ${taskId}`))
      assert.deepInclude((yield* cancel(taskId, { attemptId })).body, { state: "cancelled" })
      const other = yield* over("fails")
      yield* inState(other.taskId, "scheduled")
      yield* hasten(other.taskId)
      yield* until(attemptsOf(other.taskId), ({ length }) => length === 2)
      assert.strictEqual((yield* cancel(other.taskId, other)).status, 409)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves nothing behind when the task is deleted", () =>
    Effect.gen(function* () {
      yield* configure
      const { taskId } = yield* over("fails")
      yield* inState(taskId, "scheduled")
      yield* ask("DELETE", `/api/tasks/${taskId}`, { as: "admin" })
      const { request } = yield* World
      const gone = yield* request("GET", `/api/agents/${taskId}/recovery`)
      assert.strictEqual(gone.status, 404)
      const { select } = yield* Storage
      assert.deepStrictEqual(yield* select(sql`SELECT id FROM run_recoveries`), [])
    }).pipe(Effect.provide(world()))
  )
})
