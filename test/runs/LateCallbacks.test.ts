import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Random } from "effect"
import { sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { ask, createTask } from "../support/Board.ts"
import {
  complete,
  type RunningAttempt,
  registerCodex,
  shownSuccess,
  start,
  startGateway
} from "../support/Runs.ts"
import { beginScript, configureScripts, until } from "../support/ScriptedAgents.ts"
import { type Answer, temporaryDirectory, World, worldIn } from "../support/World.ts"

/** A call, and what must come of it whenever it is made. */
interface Late {
  readonly what: string
  readonly call: Effect.Effect<Answer, never, World>
  readonly status: number
  readonly body?: unknown
}

const post = (taskId: string, action: string, body: object) =>
  Effect.flatMap(World, ({ request }) => request("POST", `/api/agents/${taskId}/${action}`, { body }))

/** Everything of the store that a call which changes nothing leaves as it is. */
const standing = Effect.flatMap(Storage, ({ select }) =>
  select(
    sql`
      SELECT (SELECT COUNT(*) FROM outbox) AS events, (SELECT COUNT(*) FROM audit) AS links,
        (SELECT COUNT(*) FROM telemetry) AS telemetry, (SELECT COUNT(*) FROM log) AS log,
        (SELECT SUM(revision) FROM tasks) AS revisions,
        (SELECT SUM(revision) FROM admission_reservations) AS reservations,
        (SELECT SUM(reports) FROM attempt_usage) AS reports,
        (SELECT json_group_array(id || state || COALESCE(result, '')) FROM attempts) AS attempts`
  )
)

/** An attempt of each kind: two that are complete, one that was stopped, one that waits, and two that run. */
const furnish = Effect.gen(function* () {
  yield* registerCodex
  yield* configureScripts({ sleeps: "exec sleep 600" })
  const succeeded = yield* startGateway()
  const success = yield* complete(succeeded, shownSuccess)
  const failed = yield* startGateway()
  const failure = yield* complete(failed, { success: false, summary: "It broke" })
  const stopped = yield* startGateway()
  yield* post(stopped.taskId, "stop", { attemptId: stopped.attemptId })
  const managed = yield* beginScript("sleeps")
  const running = yield* startGateway()
  yield* post(running.taskId, "tokens", {
    attemptId: running.attemptId,
    usage: { inputTokens: 1, outputTokens: 1 }
  })
  yield* ask("PATCH", "/api/settings/features", {
    as: "admin",
    body: { admission: { limits: { workspace: { runs: 2 } } } }
  })
  const { id } = yield* createTask()
  const waits = yield* start(id)
  assert.strictEqual(waits.body.status, "queued")
  const waiting: RunningAttempt = { taskId: id, attemptId: waits.body.attemptId, digest: running.digest }
  return { success, failure, succeeded, failed, stopped, managed, running, waiting }
})

type Furnished = Effect.Effect.Success<typeof furnish>

const { summary, ...rest } = shownSuccess
const otherDigest = `sha256:${"0".repeat(64)}`

/** Every way in which a callback comes late, twice or to the wrong place. */
const lateCalls = (all: Furnished): ReadonlyArray<Late> => {
  const { failed, failure, managed, running, stopped, succeeded, success, waiting } = all
  const refused = (what: string, call: Late["call"]): Late => ({ what, call, status: 409 })
  return [
    { what: "the same claim", call: complete(succeeded, shownSuccess), status: 200, body: success.body },
    {
      what: "in another order",
      call: complete(succeeded, { summary, ...rest }),
      status: 200,
      body: success.body
    },
    {
      what: "the same failure",
      call: complete(failed, { summary: "It broke", success: false }),
      status: 200,
      body: failure.body
    },
    refused("a failure after a success", complete(succeeded, { success: false })),
    refused("another summary", complete(succeeded, { ...shownSuccess, summary: "Better" })),
    refused("a success after a failure", complete(failed, shownSuccess)),
    refused("another manifest", complete({ ...succeeded, digest: otherDigest }, shownSuccess)),
    refused("another manifest while it runs", complete({ ...running, digest: otherDigest }, shownSuccess)),
    refused("the attempt of another task", complete({ ...succeeded, taskId: failed.taskId }, shownSuccess)),
    refused("an attempt that never was", complete({ ...running, attemptId: "attempt_none" }, shownSuccess)),
    refused("a success after a stop", complete(stopped, shownSuccess)),
    refused("an interruption after a stop", complete(stopped, { status: "interrupted" })),
    refused("an attempt that waits", complete(waiting, shownSuccess)),
    refused(
      "an attempt of the service itself",
      complete({ ...managed, digest: running.digest }, shownSuccess)
    ),
    refused("a stop after a success", post(succeeded.taskId, "stop", { attemptId: succeeded.attemptId })),
    refused(
      "tokens after the end",
      post(succeeded.taskId, "tokens", {
        attemptId: succeeded.attemptId,
        usage: { inputTokens: 1, outputTokens: 1 }
      })
    ),
    refused(
      "a message after a stop",
      post(stopped.taskId, "message", { attemptId: stopped.attemptId, message: "Are you there?" })
    )
  ]
}

/** Makes so many of the calls in any order, some at once, and sees that each is answered as it must be. */
const makeCalls = (late: ReadonlyArray<Late>, count: number) =>
  Effect.gen(function* () {
    const calls = yield* Random.shuffle(Arr.flatMap(Arr.range(1, Math.ceil(count / late.length)), () => late))
    yield* Effect.forEach(
      calls,
      ({ body, call, status, what }) =>
        Effect.map(call, (answer) => {
          assert.strictEqual(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`)
          if (body !== undefined) assert.deepStrictEqual(answer.body, body, what)
        }),
      { concurrency: 8, discard: true }
    )
  })

describe("a callback that comes late, twice or to the wrong place", () => {
  it.scopedLive("changes nothing, a thousand times, before and after a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const all = yield* Effect.gen(function* () {
        const all = yield* furnish
        const before = yield* standing
        yield* makeCalls(lateCalls(all), 500)
        assert.deepStrictEqual(yield* standing, before)
        return all
      }).pipe(Effect.provide(worldIn(directory)))
      yield* Effect.gen(function* () {
        // The run of the server before is over, and what waited has its place: that is all that may happen by itself.
        yield* ask("POST", `/api/agents/${all.waiting.taskId}/stop`, {
          body: { attemptId: all.waiting.attemptId }
        })
        const recovery = `/api/agents/${all.managed.taskId}/recovery`
        yield* until(ask("GET", recovery), (planned) => planned !== null)
        yield* ask("POST", `${recovery}/cancel`, {
          as: "admin",
          body: { attemptId: all.managed.attemptId }
        })
        const before = yield* standing
        yield* makeCalls(lateCalls(all), 500)
        assert.deepStrictEqual(yield* standing, before)
        const { body } = yield* complete(all.running, shownSuccess)
        assert.strictEqual(body.status, "success", "what runs is still to be completed")
      }).pipe(Effect.provide(worldIn(directory)))
    })
  )
})
