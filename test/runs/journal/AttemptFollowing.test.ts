import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { RunJournals } from "../../../src/runs/journal/RunJournals.ts"
import * as Log from "../../../src/storage/Log.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { launched, over } from "../../support/Journals.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { type Listener, listen, type Message } from "../../support/Socket.ts"
import { World } from "../../support/World.ts"

const shared = sharedWorld()

const aTask = Effect.flatMap(World, ({ request }) =>
  Effect.map(request("POST", "/api/tasks", { body: { title: "Do something" } }), ({ body }) =>
    String(body.id)
  )
)

const say = (attemptId: string, ...texts: ReadonlyArray<string>) =>
  Effect.flatMap(RunJournals, ({ append }) =>
    append(
      attemptId,
      texts.map((text) => ({ kind: "output", payload: { stream: "stdout", text } }))
    )
  )

const connect = (headers?: Readonly<Record<string, string>>) =>
  Effect.flatMap(World, ({ baseUrl }) => listen(baseUrl, headers === undefined ? {} : { headers }))

/** Follows a task, and gives the answer; what the board tells besides is passed over. */
const subscribe = (listener: Listener, message: object) =>
  Effect.zipRight(
    listener.send({ type: "subscribe", ...message }),
    listener.until(({ type }) => type === "subscribed" || type === "error")
  )

const nextEvent = (listener: Listener): Effect.Effect<Message> =>
  listener.until(({ type }) => type === "agent:event")

const events = (listener: Listener, count: number) =>
  Effect.forEach(Arr.makeBy(count, String), () => nextEvent(listener))

const sequencesOf = (told: ReadonlyArray<Message>) => told.map(({ data }) => data.sequence)

describe("who follows a task", () => {
  it.scopedLive("is told of its attempt what was stored and what comes, each once and in order", () =>
    Effect.gen(function* () {
      const taskId = yield* aTask
      const attemptId = yield* launched(taskId)
      yield* say(attemptId, "one", "two")
      const listener = yield* connect()
      assert.deepInclude(yield* subscribe(listener, { taskId }), {
        type: "subscribed",
        taskId,
        attemptId,
        cursor: 2
      })
      const [first] = yield* events(listener, 2)
      assert.deepInclude(first, { type: "agent:event", taskId, attemptId })
      assert.deepInclude(first.data, { schemaVersion: "run-event/v1", kind: "output", sequence: 1 })
      assert.strictEqual(first.timestamp, first.data.receivedAt)
      yield* say(attemptId, "three")
      assert.deepStrictEqual(sequencesOf([yield* nextEvent(listener)]), [3])
      const output = yield* listener.until(({ sequence, type }) => type === "agent:output" && sequence === 3)
      const { timestamp: _, ...said } = output
      assert.deepStrictEqual(said, {
        type: "agent:output",
        taskId,
        attemptId,
        outputType: "stdout",
        content: "three",
        sequence: 3
      })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("hears everything once, however often the connection breaks while the run goes on", () =>
    Effect.gen(function* () {
      const taskId = yield* aTask
      const attemptId = yield* launched(taskId)
      const total = 400
      yield* Effect.fork(
        Effect.forEach(Arr.range(1, total / 4), (round) =>
          Effect.zipRight(
            say(attemptId, ...Arr.makeBy(4, (index) => `${round}.${index}`)),
            Effect.sleep("1 millis")
          )
        )
      )
      const seen: Array<number> = []
      for (let round = 0; seen.length < total; round++) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const listener = yield* connect()
            yield* subscribe(listener, { taskId, attemptId, afterSequence: seen.length })
            const left = total - seen.length
            seen.push(...sequencesOf(yield* events(listener, Math.min(left, 37 + 61 * round))))
            yield* listener.cut
          })
        )
      }
      assert.deepStrictEqual(seen, Arr.range(1, total))
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive(
    "hears of kinds that nobody knows, of payloads that were dropped, and of long outputs by their preview",
    () =>
      Effect.gen(function* () {
        const taskId = yield* aTask
        const attemptId = yield* launched(taskId)
        const { append } = yield* RunJournals
        yield* append(attemptId, [
          { kind: "from.the.future", payload: { a: 1 } },
          { kind: "output", payload: { stream: "stderr", text: "z".repeat(8_400_000) } },
          { kind: "output", payload: { stream: "stderr", text: "w ".repeat(10_000) } }
        ])
        const listener = yield* connect()
        yield* subscribe(listener, { taskId })
        const [future, dropped] = yield* events(listener, 2)
        assert.deepInclude(future.data, { kind: "from.the.future", payload: { a: 1 } })
        assert.deepInclude(dropped.data.redaction, { status: "dropped" })
        const output = yield* listener.until(({ type }) => type === "agent:output")
        assert.deepInclude(output, { outputType: "stderr", sequence: 3, content: "w ".repeat(512) })
      }).pipe(Effect.provide(shared))
  )

  it.scopedLive("goes on with the next attempt, unless one was named", () =>
    Effect.gen(function* () {
      const taskId = yield* aTask
      const free = yield* connect()
      assert.deepInclude(yield* subscribe(free, { taskId, afterSequence: 0 }), { attemptId: null, cursor: 0 })
      const first = yield* launched(taskId)
      yield* say(first, "a", "b")
      assert.deepStrictEqual(sequencesOf(yield* events(free, 2)), [1, 2])
      const bound = yield* connect()
      assert.deepInclude(yield* subscribe(bound, { taskId, attemptId: first, afterSequence: 1 }), {
        attemptId: first,
        cursor: 2
      })
      assert.deepStrictEqual(sequencesOf(yield* events(bound, 1)), [2])
      yield* say(first, "c")
      yield* over(first)
      const second = yield* launched(taskId)
      yield* say(second, "d")
      const told = yield* events(free, 2)
      assert.deepStrictEqual(
        told.map(({ attemptId, data }) => [attemptId, data.sequence]),
        [
          [first, 3],
          [second, 1]
        ]
      )
      assert.deepStrictEqual(sequencesOf(yield* events(bound, 1)), [3])
      yield* bound.send({ type: "ping" })
      yield* bound.until(({ type }) => {
        assert.notStrictEqual(type, "agent:event")
        return type === "pong"
      })
      assert.deepInclude(yield* subscribe(yield* connect(), { taskId }), { attemptId: second, cursor: 1 })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("hears a later attempt from its beginning, though it had heard more of an earlier one", () =>
    Effect.gen(function* () {
      const taskId = yield* aTask
      const first = yield* launched(taskId)
      yield* say(first, "a", "b", "c")
      yield* over(first)
      const second = yield* launched(taskId)
      yield* say(second, "d")
      const back = yield* connect()
      const asked = { taskId, attemptId: null, afterSequence: 3, afterTaskSequence: null }
      assert.deepInclude(yield* subscribe(back, asked), { attemptId: second, cursor: 1 })
      assert.deepStrictEqual(sequencesOf(yield* events(back, 1)), [1])
      yield* say(second, "e")
      assert.deepStrictEqual(sequencesOf(yield* events(back, 1)), [2])
      const named = yield* connect()
      yield* subscribe(named, { taskId, attemptId: second, afterSequence: 2 })
      yield* say(second, "f")
      assert.deepStrictEqual(sequencesOf(yield* events(named, 1)), [3])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("and does not read holds up nobody else, and misses nothing when it reads again", () =>
    Effect.gen(function* () {
      const taskId = yield* aTask
      const attemptId = yield* launched(taskId)
      const [asleep, other] = [yield* connect(), yield* connect()]
      for (const listener of [asleep, other]) yield* subscribe(listener, { taskId })
      yield* asleep.pause
      // More than the buffers of the system hold.
      const total = 600
      const text = "so much to say ".repeat(1_000)
      yield* Effect.forEach(Arr.range(1, total / 40), () => say(attemptId, ...Arr.makeBy(40, () => text)))
      assert.deepStrictEqual(sequencesOf(yield* events(other, total)), Arr.range(1, total))
      yield* asleep.resume
      assert.deepStrictEqual(sequencesOf(yield* events(asleep, total)), Arr.range(1, total))
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is told in its place what is no longer kept", () =>
    Effect.gen(function* () {
      const taskId = yield* aTask
      const attemptId = yield* launched(taskId)
      yield* say(attemptId, ...Arr.makeBy(8, String))
      const { write } = yield* Storage
      const rule = { resource: "attempt", newest: 3, milliseconds: Number.MAX_SAFE_INTEGER }
      yield* Effect.repeat(write(Log.prune(rule)), { while: (more) => more })
      const listener = yield* connect()
      yield* subscribe(listener, { taskId, afterSequence: 2 })
      assert.deepInclude(yield* listener.until(({ type }) => type.startsWith("agent:")), {
        type: "agent:gap",
        attemptId,
        from: 3,
        to: 5
      })
      assert.deepStrictEqual(sequencesOf(yield* events(listener, 3)), [6, 7, 8])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused an attempt that is unknown or another task's, and keeps the connection", () =>
    Effect.gen(function* () {
      const [taskId, other] = [yield* aTask, yield* aTask]
      const foreign = yield* launched(other)
      const listener = yield* connect()
      for (const attemptId of [foreign, "attempt_none", "", "n".repeat(200)]) {
        assert.deepInclude(yield* subscribe(listener, { taskId, attemptId }), {
          type: "error",
          code: "NOT_FOUND"
        })
      }
      assert.deepInclude(yield* subscribe(listener, { taskId, attemptId: "n".repeat(201) }), {
        code: "VALIDATION_ERROR"
      })
      assert.deepInclude(yield* subscribe(listener, { taskId: "task_none" }), { code: "NOT_FOUND" })
      assert.deepInclude(yield* subscribe(listener, { taskId }), { type: "subscribed", attemptId: null })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("still hears of the task, from a place of its own", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const taskId = yield* aTask
      const attemptId = yield* launched(taskId)
      yield* say(attemptId, ...Arr.makeBy(5, String))
      for (const title of ["A", "B"]) yield* request("PATCH", `/api/tasks/${taskId}`, { body: { title } })
      const listener = yield* connect()
      const answer = yield* subscribe(listener, { taskId, afterSequence: 5, afterTaskSequence: 2 })
      assert.deepInclude(answer, { cursor: 5, taskCursor: 3 })
      assert.deepInclude(yield* listener.until(({ type }) => type === "task:event"), { taskId, sequence: 3 })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("hears of the task alone without agent:read", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const taskId = yield* aTask
      const attemptId = yield* launched(taskId)
      yield* say(attemptId, "for those who may read runs")
      const { body } = yield* request("POST", "/api/auth/tokens", {
        as: "admin",
        body: { name: `reader-${taskId}`, role: "agent", scopes: ["task:read"] }
      })
      const scoped = yield* connect({ "x-api-key": body.token })
      assert.deepInclude(yield* subscribe(scoped, { taskId, attemptId }), { code: "PERMISSION_DENIED" })
      assert.deepInclude(yield* subscribe(scoped, { taskId }), { attemptId: null, cursor: 0 })
    }).pipe(Effect.provide(shared))
  )
})
