import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RunJournals } from "../../../src/runs/journal/RunJournals.ts"
import { sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { ask, createTask } from "../../support/Board.ts"
import { startGateway } from "../../support/Runs.ts"
import {
  type BegunAttempt,
  beginScript,
  configureScripts,
  endOf,
  until
} from "../../support/ScriptedAgents.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { type As, temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const call = (command: string) =>
  `echo '{"type":"tool_call","id":"1","name":"Bash","input":{"command":"${command}"}}'; echo '{"type":"tool_result","id":"1","output":"x"}'`

const times = (count: number, command: string) => Array(count).fill(call(command)).join("\n")

const scripts = {
  quiet: `echo '{"type":"message","text":"On it"}'; exec sleep 600`,
  repeats: `${times(7, "npm test")}\n${times(4, "ls")}\n${times(5, "npm test")}\nexec sleep 600`,
  varies: `${times(4, "npm test")}\n${times(4, "ls")}\nexec sleep 600`
}

const configure = configureScripts(scripts)

const foundOf = ({ attemptId, taskId }: BegunAttempt) =>
  ask("GET", `/api/agents/${taskId}/watchdog?attemptId=${attemptId}`)

const found = (attempt: BegunAttempt, count: number) =>
  until(foundOf(attempt), ({ findings }) => findings.length === count)

/** A run that has said so many events. */
const spoken = (agent: keyof typeof scripts, count: number) =>
  Effect.tap(beginScript(agent), ({ attemptId, taskId }) =>
    until(
      ask("GET", `/api/agents/${taskId}/attempts/${attemptId}/events?limit=500`),
      ({ events }) => events.length === count
    )
  )

const override = (taskId: string, findingId: string, body: object, as: As = "admin") =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `/api/agents/${taskId}/watchdog/${findingId}/override`, { as, body })
  )

const countFound = Effect.flatMap(Storage, ({ select }) => select(sql`SELECT id FROM watchdog_findings`))

const clocked = () => {
  const clock = steppedClock()
  return { ...clock, world: world().pipe(Layer.provide(clock.layer)) }
}

describe("a silence", () => {
  it.scopedLive(
    "is found after ten minutes without an event, once, and once more after the next event",
    () => {
      const { step, world } = clocked()
      return Effect.gen(function* () {
        yield* configure
        const attempt = yield* spoken("quiet", 1)
        yield* step("599 seconds")
        assert.deepStrictEqual(yield* foundOf(attempt), { findings: [], actions: [], overrides: [] })
        yield* step("1 second")
        const { findings } = yield* foundOf(attempt)
        assert.lengthOf(findings, 1)
        assert.deepInclude(findings[0], {
          schemaVersion: "progress-watchdog-finding/v1",
          ...attempt,
          kind: "silence",
          status: "open",
          evidence: { lastSequence: 1, silentSince: "1970-01-01T00:00:00.000Z" },
          detectedAt: "1970-01-01T00:10:00.000Z"
        })
        yield* step("1 hour")
        assert.lengthOf((yield* foundOf(attempt)).findings, 1)
        const { append } = yield* RunJournals
        yield* append(attempt.attemptId, [{ kind: "message", payload: { text: "Still here" } }])
        yield* step("9 minutes")
        assert.lengthOf((yield* foundOf(attempt)).findings, 1)
        yield* step("1 minute")
        assert.lengthOf((yield* foundOf(attempt)).findings, 2)
        const status = yield* ask("GET", `/api/agents/${attempt.taskId}/status`)
        assert.isTrue(status.running, "a finding changes nothing about the run")
      }).pipe(Effect.provide(world))
    }
  )

  it.scopedLive("is found although nobody asks, when the machine wakes from a sleep", () => {
    const { step, world } = clocked()
    return Effect.gen(function* () {
      yield* configure
      yield* spoken("quiet", 1)
      yield* step("9 hours")
      yield* until(countFound, ({ length }) => length === 1)
    }).pipe(Effect.provide(world))
  })

  it.scopedLive("is not that of an agent that works elsewhere, nor of a run that is over", () => {
    const { step, world } = clocked()
    return Effect.gen(function* () {
      yield* configure
      const far = yield* startGateway()
      const attempt = yield* spoken("quiet", 1)
      yield* ask("POST", `/api/agents/${attempt.taskId}/stop`, { body: { attemptId: attempt.attemptId } })
      yield* step("1 day")
      assert.deepStrictEqual((yield* foundOf(far)).findings, [])
      assert.deepStrictEqual((yield* foundOf(attempt)).findings, [])
    }).pipe(Effect.provide(world))
  })
})

describe("a repetition", () => {
  it.scopedLive("is found at the fifth equal call in a row, once each time", () =>
    Effect.gen(function* () {
      yield* configure
      const attempt = yield* spoken("repeats", 32)
      const { findings } = yield* found(attempt, 2)
      for (const finding of findings) {
        assert.deepInclude(finding, { kind: "repetition", status: "open" })
        assert.deepInclude(finding.evidence, { toolName: "Bash", calls: 5 })
        assert.match(finding.evidence.inputHash, /^sha256:[0-9a-f]{64}$/)
        assert.notInclude(JSON.stringify(finding), "npm test")
      }
      const other = yield* spoken("varies", 16)
      assert.deepStrictEqual((yield* foundOf(other)).findings, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("stays known after a restart, and none is found twice", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const attempt = yield* Effect.gen(function* () {
        yield* configure
        return yield* Effect.tap(spoken("repeats", 32), (attempt) => found(attempt, 2))
      }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        assert.lengthOf((yield* foundOf(attempt)).findings, 2)
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})

describe("an override", () => {
  /** The first finding about a run that repeats itself. */
  const aFinding = Effect.gen(function* () {
    const attempt = yield* spoken("repeats", 32)
    const { findings } = yield* found(attempt, 2)
    return { ...attempt, findingId: String(findings[0].id), otherId: String(findings[1].id) }
  })

  it.scopedLive("is written down with its reason and its author, counts once, and loses its secrets", () =>
    Effect.gen(function* () {
      yield* configure
      const { attemptId, findingId, otherId, taskId } = yield* aFinding
      const reason = "It is slow: ghp_0123456789abcdefghijABCDEFGHIJ012345"
      const known = yield* override(taskId, findingId, { attemptId, resolution: "acknowledge", reason })
      assert.strictEqual(known.status, 200, JSON.stringify(known.body))
      assert.deepInclude(known.body, {
        schemaVersion: "progress-watchdog-override/v1",
        findingId,
        taskId,
        attemptId,
        resolution: "acknowledge",
        decidedBy: "admin"
      })
      assert.notInclude(known.body.reason, "ghp_")
      const body = { attemptId, resolution: "continue", reason: "It may" }
      const second = yield* override(taskId, findingId, body)
      assert.deepStrictEqual([second.status, second.body.code], [409, "CONFLICT"])
      assert.strictEqual((yield* override(taskId, otherId, body)).status, 200)
      const { actions, findings, overrides } = yield* foundOf({ taskId, attemptId })
      assert.deepStrictEqual(
        findings.map(({ status }: { status: string }) => status),
        ["acknowledged", "continued"]
      )
      assert.lengthOf(overrides, 2)
      assert.deepStrictEqual(actions, [])
      assert.isTrue((yield* ask("GET", `/api/agents/${taskId}/status`)).running)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("cancels the run, which nothing recovers, and of many at once one counts", () =>
    Effect.gen(function* () {
      yield* configure
      const { attemptId, findingId, otherId, taskId } = yield* aFinding
      const body = { attemptId, resolution: "cancel", reason: "It goes round in circles" }
      const answers = yield* Effect.all(
        Array.from({ length: 10 }, () => override(taskId, findingId, body)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)])
      const ended = yield* endOf(taskId)
      assert.deepInclude(ended.completionResult, { status: "interrupted", terminalSource: "stop" })
      const { actions, findings } = yield* foundOf({ taskId, attemptId })
      assert.lengthOf(actions, 1)
      assert.deepInclude(actions[0], {
        schemaVersion: "progress-watchdog-action/v1",
        findingId,
        attemptId,
        action: "cancel"
      })
      assert.strictEqual(findings[0].status, "cancelled")
      assert.isNull(yield* ask("GET", `/api/agents/${taskId}/recovery`))
      assert.strictEqual((yield* override(taskId, otherId, body)).status, 200, "it was stopped already")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused without control of the runs here, before anything is looked up", () =>
    Effect.gen(function* () {
      yield* configure
      const { attemptId, findingId, taskId } = yield* aFinding
      const { request } = yield* World
      const body = { attemptId, resolution: "acknowledge", reason: "I know" }
      assert.strictEqual((yield* override(taskId, "nope", body, "agent")).status, 403)
      assert.strictEqual((yield* override(taskId, findingId, body, "agent")).status, 403)
      const { token } = yield* ask("POST", "/api/auth/tokens", {
        as: "admin",
        body: { name: "driver", role: "agent", scopes: ["agent:read", "agent:write"] }
      })
      const asDriver = (headers: object, id: string) =>
        request("POST", `/api/agents/${taskId}/watchdog/${id}/override`, {
          as: null,
          headers: { "x-api-key": token, ...headers },
          body
        })
      const forwarded = { "x-forwarded-for": "203.0.113.9" }
      assert.strictEqual((yield* asDriver(forwarded, findingId)).status, 403)
      assert.strictEqual((yield* asDriver(forwarded, "nope")).status, 403)
      assert.strictEqual((yield* asDriver({}, "nope")).status, 404)
      assert.strictEqual((yield* asDriver({}, findingId)).status, 200)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused when it is not well-formed, or is about something else", () =>
    Effect.gen(function* () {
      yield* configure
      const { attemptId, findingId, taskId } = yield* aFinding
      const body = { attemptId, resolution: "acknowledge", reason: "I know" }
      for (const spoilt of [
        { ...body, resolution: "ignore" },
        { ...body, reason: "  " },
        { ...body, reason: undefined },
        { ...body, reason: "x".repeat(2_001) },
        { ...body, attemptId: undefined }
      ]) {
        assert.strictEqual((yield* override(taskId, findingId, spoilt)).status, 400, JSON.stringify(spoilt))
      }
      const stale = { ...body, attemptId: "attempt_none" }
      assert.strictEqual((yield* override(taskId, findingId, stale)).status, 409)
      assert.strictEqual((yield* override(taskId, "nope", body)).status, 404)
      assert.strictEqual((yield* override("task_none", findingId, body)).status, 404)
      const { id: other } = yield* createTask()
      assert.strictEqual((yield* override(other, findingId, body)).status, 404)
      const { request } = yield* World
      const read = (path: string) => Effect.map(request("GET", path), ({ status }) => status)
      assert.strictEqual(yield* read(`/api/agents/${taskId}/watchdog`), 400)
      assert.strictEqual(yield* read(`/api/agents/${other}/watchdog?attemptId=${attemptId}`), 409)
      assert.strictEqual(yield* read(`/api/agents/task_none/watchdog?attemptId=${attemptId}`), 404)
      assert.deepInclude((yield* foundOf({ taskId, attemptId })).findings[0], { status: "open" })
      yield* ask("POST", `/api/agents/${taskId}/stop`, { body: { attemptId } })
      yield* ask("DELETE", `/api/tasks/${taskId}`, { as: "admin" })
      assert.deepStrictEqual(yield* countFound, [])
    }).pipe(Effect.provide(world()))
  )
})
