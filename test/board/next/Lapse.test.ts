import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, type Duration, Effect, Layer, Redacted } from "effect"
import { ask, createTask, etagOf, getTask, moveBody } from "../../support/Board.ts"
import { type SteppedClock, steppedClock } from "../../support/SteppedClock.ts"
import { type Answer, keys, temporaryDirectory, World, worldIn } from "../../support/World.ts"

const rivalKey = "rival-key"

/** A board with two agents, codex and its rival. */
const boardIn = (directory: string, clock: SteppedClock) =>
  worldIn(directory, {
    auth: {
      apiKeys: [
        { name: "codex", key: Redacted.make(keys.agent), role: "agent" },
        { name: "rival", key: Redacted.make(rivalKey), role: "agent" }
      ]
    }
  }).pipe(Layer.provide(clock.layer))

const onBoard = <A, E>(work: (clock: SteppedClock) => Effect.Effect<A, E, World>) =>
  Effect.gen(function* () {
    const clock = steppedClock()
    yield* clock.step("1 hour")
    return yield* Effect.provide(work(clock), boardIn(yield* temporaryDirectory, clock))
  })

const asRival = (method: string, path: string, body?: unknown): Effect.Effect<Answer, never, World> =>
  Effect.flatMap(World, ({ request }) =>
    request(method, path, {
      as: null,
      headers: { "x-api-key": rivalKey },
      ...(body === undefined ? {} : { body })
    })
  )

const asCodex = (method: string, path: string, body?: unknown): Effect.Effect<Answer, never, World> =>
  Effect.flatMap(World, ({ request }) => request(method, path, body === undefined ? {} : { body }))

const claim = (id: string, body: object = {}) => ask("POST", `/api/tasks/${id}/claim`, { body })

/** What the squad chat heard of a task. */
const heardOf = (taskId: string) =>
  Effect.map(
    ask("GET", "/api/chat/squad"),
    (messages: ReadonlyArray<{ taskId?: string; message: string; agent: string }>) =>
      messages.filter((message) => message.taskId === taskId)
  )

/** Waits until a condition holds, and fails when it does not within some seconds. */
const eventually = <A, E, R>(look: Effect.Effect<A, E, R>, holds: (found: A) => boolean) =>
  look.pipe(
    Effect.tap(() => Effect.sleep("50 millis")),
    Effect.repeat({ until: holds }),
    Effect.timeout("8 seconds"),
    Effect.orDie
  )

/** A task that codex claimed and the rival took over half an hour later. */
const takenOver = (clock: SteppedClock) =>
  Effect.gen(function* () {
    const { id } = yield* createTask()
    yield* claim(id)
    yield* clock.step("31 minutes")
    const taken = yield* asRival("POST", `/api/tasks/${id}/claim`, {})
    assert.strictEqual(taken.status, 200, JSON.stringify(taken.body))
    return taken.body
  })

const lasting = (clock: SteppedClock, duration: Duration.DurationInput, id: string) =>
  Effect.zipRight(
    clock.step(duration),
    Effect.map(getTask(id), ({ claim: held }) => held.stale)
  )

describe("a claim", () => {
  it.scopedLive("says who made it, for whom and until when, and is stale from the very moment on", () =>
    onBoard((clock) =>
      Effect.gen(function* () {
        const { id } = yield* createTask()
        assert.isUndefined((yield* getTask(id)).claim)
        const claimed = yield* claim(id, { agent: "ann" })
        assert.deepStrictEqual(claimed.claim, {
          by: "codex",
          agent: "ann",
          claimedAt: "1970-01-01T01:00:00.000Z",
          expiresAt: "1970-01-01T01:30:00.000Z",
          epoch: 1,
          stale: false
        })
        assert.deepStrictEqual(yield* getTask(id), claimed)
        assert.isFalse(yield* lasting(clock, 30 * 60_000 - 1, id))
        assert.isTrue(yield* lasting(clock, 1, id))
        const { tasks } = yield* ask("GET", "/api/tasks")
        assert.isTrue(tasks[0].claim.stale)
        assert.isTrue((yield* ask("GET", `/api/tasks/${id}/context`)).task.claim.stale)
      })
    )
  )

  it.scopedLive("lasts as long as the settings say, from the next claim on", () =>
    onBoard((clock) =>
      Effect.gen(function* () {
        const before = yield* createTask()
        yield* claim(before.id)
        const setTo = (minutes: unknown) =>
          Effect.flatMap(World, ({ request }) =>
            request("PATCH", "/api/settings/features", { as: "admin", body: { claims: { minutes } } })
          )
        assert.deepStrictEqual((yield* setTo(5)).body.claims, { minutes: 5 })
        const after = yield* createTask()
        yield* claim(after.id)
        assert.isTrue(yield* lasting(clock, "5 minutes", after.id))
        assert.isFalse((yield* getTask(before.id)).claim.stale)
        for (const wrong of [0, 1_441, 2.5, "5"]) assert.strictEqual((yield* setTo(wrong)).status, 400)
        assert.deepStrictEqual((yield* setTo(null)).body.claims, { minutes: 30 })
      })
    )
  )

  it.scopedLive("is renewed by every write of its holder, and by nobody else's", () =>
    onBoard((clock) =>
      Effect.gen(function* () {
        const { id } = yield* createTask()
        yield* claim(id)
        const writes: ReadonlyArray<readonly [string, string, unknown]> = [
          ["PATCH", `/api/tasks/${id}`, { title: "Mended" }],
          ["POST", `/api/tasks/${id}/comments`, { text: "Half of it is done" }],
          ["POST", `/api/tasks/${id}/time/start`, {}],
          ["PUT", `/api/tasks/${id}/progress`, { content: "Half" }],
          ["POST", `/api/tasks/${id}/observations`, { content: "It rattles" }],
          ["POST", `/api/tasks/${id}/checkpoint`, { state: { at: 1 } }]
        ]
        for (const [method, path, body] of writes) {
          yield* clock.step("20 minutes")
          const { status } = yield* asCodex(method, path, body)
          assert.isBelow(status, 300, path)
          assert.isFalse(yield* lasting(clock, "20 minutes", id), path)
          yield* asCodex("PATCH", `/api/tasks/${id}`, { title: "Again" })
        }
        yield* clock.step("29 minutes")
        yield* ask("PATCH", `/api/tasks/${id}`, { as: "admin", body: { title: "A look" } })
        yield* asRival("POST", `/api/tasks/${id}/comments`, { text: "How is it going?" })
        assert.isTrue(yield* lasting(clock, "1 minute", id))
        // It lapsed, and nobody took the task: its holder was slow, and goes on.
        yield* ask("PATCH", `/api/tasks/${id}`, { body: { title: "Back" } })
        assert.isFalse((yield* getTask(id)).claim.stale)
      })
    )
  )

  it.scopedLive("is renewed by the heartbeat of its holder alone, which changes no revision", () =>
    onBoard((clock) =>
      Effect.gen(function* () {
        const { id } = yield* createTask()
        const { revision } = yield* claim(id)
        const register = { id: "codex", name: "codex" }
        yield* ask("POST", "/api/agents/register", { body: register })
        yield* clock.step("20 minutes")
        const beat = { status: "busy", currentTaskId: id }
        yield* ask("POST", "/api/agents/register/codex/heartbeat", { body: beat })
        assert.isFalse(yield* lasting(clock, "20 minutes", id))
        assert.strictEqual((yield* getTask(id)).revision, revision)
        yield* ask("POST", "/api/agents/register/codex/heartbeat", { as: "admin", body: beat })
        assert.isTrue(yield* lasting(clock, "10 minutes", id))
      })
    )
  )

  it.scopedLive("ends with the work, and when the task is given to somebody else", () =>
    onBoard((clock) =>
      Effect.gen(function* () {
        const changes = [{ status: "done" }, { status: "todo" }, { assignee: "bob" }, { assignee: null }]
        for (const change of changes) {
          const { id } = yield* createTask()
          yield* claim(id)
          yield* ask("PATCH", `/api/tasks/${id}`, { as: "admin", body: change })
          assert.isUndefined((yield* getTask(id)).claim, JSON.stringify(change))
        }
        yield* clock.step("1 day")
        assert.strictEqual((yield* ask("GET", "/api/tasks/next")).queue.stale, 0)
        assert.deepStrictEqual(yield* ask("GET", "/api/chat/squad"), [])
      })
    )
  )
})

describe("a claim that lapsed", () => {
  it.scopedLive("is told once, also after a restart, and again when it lapses again", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const clock = steppedClock()
      const id = yield* Effect.gen(function* () {
        const task = yield* createTask({ title: "Sail" })
        yield* claim(task.id, { agent: "ann" })
        return task.id as string
      }).pipe(Effect.provide(boardIn(directory, clock)))
      yield* clock.step("1 hour")
      yield* Effect.gen(function* () {
        const [told] = yield* eventually(heardOf(id), ({ length }) => length > 0)
        assert.strictEqual(
          told?.message,
          `Sail (${id}): the claim of ann lapsed at 1970-01-01T00:30:00.000Z; whoever claims the task next takes it over`
        )
        const task = yield* getTask(id)
        assert.deepInclude(task, { status: "in-progress", assignee: "ann", revision: 2 })
        assert.isTrue(task.claim.stale)
      }).pipe(Effect.provide(boardIn(directory, clock)))
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* heardOf(id)).length, 1)
        yield* ask("PATCH", `/api/tasks/${id}`, { body: { title: "Sail on" } })
        yield* clock.step("31 minutes")
        // A claim wakes whoever looks at the clock; without one it is looked at within half a minute.
        yield* claim((yield* createTask()).id)
        yield* eventually(heardOf(id), ({ length }) => length === 2)
        const audit = yield* ask("GET", `/api/audit?limit=50`, { as: "admin" })
        assert.include(JSON.stringify(audit), "task.claim-lapsed")
      }).pipe(Effect.provide(boardIn(directory, clock)))
    })
  )

  it.scopedLive("is offered after what stands in todo, the agent's own before others", () =>
    onBoard((clock) =>
      Effect.gen(function* () {
        const stale = yield* createTask({ id: "stale", priority: "critical" })
        yield* claim(stale.id)
        yield* clock.step("30 minutes")
        yield* createTask({ id: "ready", priority: "low" })
        const look = (yield* asRival("GET", "/api/tasks/next")).body
        assert.strictEqual(look.task.id, "ready")
        assert.deepStrictEqual(
          look.alternatives.map((task: { id: string; stale: boolean }) => [task.id, task.stale]),
          [["stale", true]]
        )
        assert.deepInclude(look.queue, { ready: 1, stale: 1 })
        assert.strictEqual((yield* ask("GET", "/api/tasks/next")).task.id, "stale", "it is codex's own")
        assert.strictEqual((yield* asRival("POST", "/api/tasks/claim-next", {})).body.task.id, "ready")
        const taken = (yield* asRival("POST", "/api/tasks/claim-next", {})).body
        assert.deepInclude(taken.task, { id: "stale", assignee: "rival", status: "in-progress" })
        assert.deepInclude(taken.task.claim, { by: "rival", epoch: 2, stale: false })
        assert.include(taken.reasons, "The claim on it has lapsed")
        assert.isNull((yield* asRival("POST", "/api/tasks/claim-next", {})).body.task)
        const told = (yield* heardOf("stale")).map(({ message }) => message)
        assert.strictEqual(told.filter((message) => message.includes("lapsed")).length, 1)
        assert.include(told, "A task (stale): rival took it over from codex")
      })
    )
  )

  it.scopedLive("is taken over by one of all who ask at once", () =>
    onBoard((clock) =>
      Effect.gen(function* () {
        const { id } = yield* createTask()
        yield* claim(id)
        yield* clock.step("30 minutes")
        const answers = yield* Effect.forEach(
          Arr.range(1, 20),
          (index) => (index % 2 === 0 ? asRival : asCodex)("POST", `/api/tasks/${id}/claim`, {}),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(answers.filter(({ status }) => status === 200).length, 1)
        assert.strictEqual(answers.filter(({ status }) => status === 409).length, 19)
        assert.deepInclude((yield* getTask(id)).claim, { epoch: 2, stale: false })
      })
    )
  )
})

describe("a former claimer", () => {
  it.scopedLive("is refused on every write of the task, and told who has it since when", () =>
    onBoard((clock) =>
      Effect.gen(function* () {
        const other = yield* createTask()
        const task = yield* takenOver(clock)
        const { id } = task
        yield* ask("POST", `/api/tasks/${id}/checkpoint`, { as: "admin", body: { state: 1 } })
        const noted = yield* ask("POST", `/api/tasks/${id}/observations`, {
          as: "admin",
          body: { content: "It rattles" }
        })
        const said = yield* ask("POST", `/api/tasks/${id}/comments`, { as: "admin", body: { text: "Go on" } })
        const template = yield* ask("POST", "/api/templates", {
          as: "admin",
          body: { name: "Rig", taskDefaults: { priority: "high" } }
        })
        const before = yield* getTask(id)
        const comment = said.comments[0].id
        const writes: ReadonlyArray<readonly [string, string, unknown]> = [
          ["PATCH", "", { title: "Mine" }],
          ["POST", "/archive", undefined],
          ["POST", "/restore", undefined],
          ["POST", "/demote", undefined],
          ["POST", "/promote", undefined],
          ["POST", "/comments", { text: "Done with it" }],
          ["PATCH", `/comments/${comment}`, { text: "Changed" }],
          ["DELETE", `/comments/${comment}`, undefined],
          ["POST", "/dependencies", { dependsOn: other.id }],
          ["DELETE", `/dependencies/${other.id}`, undefined],
          ["POST", "/time/start", undefined],
          ["POST", "/time/stop", undefined],
          ["POST", "/time/entry", { durationMs: 60_000 }],
          ["PUT", "/progress", { content: "All" }],
          ["POST", "/progress/append", { content: "All", text: "All", section: "All", entry: "All" }],
          ["POST", "/observations", { content: "It is quiet" }],
          ["DELETE", `/observations/${noted.id}`, undefined],
          ["POST", "/checkpoint", { state: 2 }],
          ["DELETE", "/checkpoint", undefined],
          ["POST", "/apply-template", { templateId: template.id }],
          ["POST", "/worktree", {}],
          ["POST", "/worktree/rebase", {}],
          ["POST", "/worktree/merge", undefined],
          ["POST", "/worktree/pull-request", {}],
          ["DELETE", "/worktree", undefined]
        ]
        const refusal = {
          error: `Your claim of task ${id} lapsed, and rival has it since 1970-01-01T01:31:00.000Z`,
          code: "CONFLICT",
          details: {
            taskId: id,
            epoch: 2,
            holder: "rival",
            since: "1970-01-01T01:31:00.000Z",
            remedy: `Stop working on it. POST /api/tasks/${id}/claim claims it anew once it is in todo or its claim has lapsed; whoever makes you its assignee gives it back to you`
          }
        }
        for (const [method, path, body] of writes) {
          const answer = yield* asCodex(method, `/api/tasks/${id}${path}`, body)
          assert.strictEqual(answer.status, 409, `${method} ${path}: ${JSON.stringify(answer.body)}`)
          assert.deepStrictEqual(answer.body, refusal, `${method} ${path}`)
        }
        const { request } = yield* World
        const moved = yield* request("POST", `/api/tasks/${id}/move`, {
          body: moveBody(before, "done", 0),
          headers: { "if-match": etagOf(before) }
        })
        assert.deepStrictEqual(moved.body, refusal)
        const bulk = yield* ask("POST", "/api/tasks/bulk-update", {
          body: { taskIds: [id], updates: { title: "Mine" } }
        })
        assert.strictEqual(bulk.failed.length, 1)
        const gone = yield* asCodex("POST", "/api/agents/register", { id: "codex", name: "codex" })
        assert.strictEqual(gone.status, 201)
        yield* ask("POST", "/api/agents/register/codex/heartbeat", {
          body: { status: "busy", currentTaskId: id }
        })
        assert.deepStrictEqual(yield* getTask(id), before)
      })
    )
  )

  it.scopedLive("neither starts a run of the task nor has a say in the one of its successor", () =>
    onBoard((clock) =>
      Effect.gen(function* () {
        const { id } = yield* takenOver(clock)
        for (const name of ["codex", "rival"]) {
          yield* ask("POST", "/api/agents/register", { as: "admin", body: { id: name, name } })
        }
        assert.strictEqual((yield* asCodex("POST", `/api/agents/${id}/start`, {})).status, 409)
        const begun = yield* asRival("POST", `/api/agents/${id}/start`, {})
        assert.strictEqual(begun.status, 201, JSON.stringify(begun.body))
        const { attemptId, providerRuntimeManifestDigest } = begun.body
        const before = yield* getTask(id)
        const calls: ReadonlyArray<readonly [string, object]> = [
          ["message", { attemptId, message: "Wait for me" }],
          ["tokens", { attemptId, usage: { inputTokens: 1, outputTokens: 1 } }],
          ["complete", { attemptId, providerRuntimeManifestDigest, success: true }],
          ["stop", { attemptId }]
        ]
        for (const [call, body] of calls) {
          const answer = yield* asCodex("POST", `/api/agents/${id}/${call}`, body)
          assert.strictEqual(answer.status, 409, call)
          assert.include(answer.body.error, `Your claim of task ${id} lapsed`, call)
        }
        assert.deepStrictEqual(yield* getTask(id), before)
        const stopped = yield* asRival("POST", `/api/agents/${id}/stop`, { attemptId })
        assert.deepInclude(stopped.body, { attemptId, status: "interrupted" })
        assert.strictEqual((yield* asCodex("POST", `/api/agents/${id}/start`, {})).status, 409)
      })
    )
  )

  it.scopedLive(
    "locks out neither its successor nor people and administrators, nor the former claimer elsewhere",
    () =>
      onBoard((clock) =>
        Effect.gen(function* () {
          const { id } = yield* takenOver(clock)
          assert.strictEqual((yield* asRival("PATCH", `/api/tasks/${id}`, { title: "Mine" })).status, 200)
          yield* ask("PATCH", `/api/tasks/${id}`, { as: "admin", body: { title: "Ours" } })
          const other = yield* createTask()
          assert.strictEqual((yield* asCodex("PATCH", `/api/tasks/${other.id}`, { title: "B" })).status, 200)
          // An administrator who let a claim lapse goes on all the same.
          const { id: mine } = yield* createTask()
          yield* ask("POST", `/api/tasks/${mine}/claim`, { as: "admin", body: {} })
          yield* clock.step("30 minutes")
          assert.strictEqual((yield* asRival("POST", `/api/tasks/${mine}/claim`, {})).status, 200)
          yield* ask("PATCH", `/api/tasks/${mine}`, { as: "admin", body: { title: "Still" } })
        })
      )
  )

  it.scopedLive(
    "writes again once it claimed the task anew, or was given it back, or the task waits again",
    () =>
      onBoard((clock) =>
        Effect.gen(function* () {
          const write = (id: string) =>
            Effect.map(asCodex("PATCH", `/api/tasks/${id}`, { title: "Mine" }), ({ status }) => status)
          const { id: anew } = yield* takenOver(clock)
          assert.strictEqual(yield* write(anew), 409)
          assert.strictEqual((yield* asCodex("POST", `/api/tasks/${anew}/claim`, {})).status, 409)
          yield* clock.step("30 minutes")
          assert.strictEqual((yield* claim(anew)).claim.epoch, 3)
          assert.strictEqual(yield* write(anew), 200)
          assert.strictEqual((yield* asRival("PATCH", `/api/tasks/${anew}`, { title: "B" })).status, 409)

          const { id: back } = yield* takenOver(clock)
          yield* ask("PATCH", `/api/tasks/${back}`, { as: "admin", body: { assignee: "codex" } })
          assert.strictEqual(yield* write(back), 200)

          const { id: waits } = yield* takenOver(clock)
          yield* asRival("PATCH", `/api/tasks/${waits}`, { status: "done" })
          assert.strictEqual(yield* write(waits), 409, "what was finished stays finished")
          yield* ask("PATCH", `/api/tasks/${waits}`, { as: "admin", body: { status: "todo" } })
          assert.strictEqual(yield* write(waits), 200)
        })
      )
  )
})
