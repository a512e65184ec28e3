import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { claimWaiting } from "../../../src/governance/queue/ClaimWaiting.ts"
import { Dispatch } from "../../../src/governance/queue/Dispatch.ts"
import { Queue } from "../../../src/governance/queue/Queue.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { tester } from "../../support/Journal.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { storageInMemory } from "../../support/TestStorage.ts"
import {
  atWork,
  choose,
  end,
  launch,
  launches,
  launchLater,
  room,
  running,
  standing,
  states,
  until
} from "./Launches.ts"

const begun = ({ told }: ReturnType<typeof launches>) => told.begun.map(({ request }) => request.attemptId)

/** Nothing of what a process does that dies here is seen to its end: it claims what waits, and is gone. */
const claimAndDie = (layer: Layer.Layer<Dispatch>) =>
  Effect.flatMap(Effect.all([Storage, Dispatch]), ([{ write }, dispatchers]) =>
    write(claimWaiting(dispatchers))
  ).pipe(Effect.provide(layer))

const worksUntil = <E, R>(layer: ReturnType<typeof atWork>, condition: Effect.Effect<boolean, E, R>) =>
  Effect.scoped(Effect.zipRight(Layer.build(layer), until(condition)))

describe("the dispatch of those who wait", () => {
  it.scopedLive("begins the next when one ends, the more urgent first", () =>
    Effect.gen(function* () {
      const stand = launches()
      yield* room(1)
      yield* launch("first")
      yield* launchLater("second")
      yield* launchLater("third", { priority: "high", source: "scheduled" })
      yield* Layer.build(atWork(stand.layer))
      assert.deepStrictEqual(begun(stand), [])
      yield* end("first")
      yield* until(Effect.sync(() => stand.told.begun.length === 1))
      yield* end("third")
      yield* until(Effect.sync(() => stand.told.begun.length === 2))
      assert.deepStrictEqual(begun(stand), ["third", "second"])
      assert.deepStrictEqual(yield* states, { second: "dispatched", third: "dispatched" })
      assert.strictEqual(stand.told.begun[0]?.by.name, tester.name)
      assert.strictEqual(yield* running, 1)
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scopedLive("alternates between workspaces", () =>
    Effect.gen(function* () {
      const stand = launches()
      yield* choose({ limits: { global: { runs: 1 } } })
      yield* launch("running")
      for (const [attemptId, workspaceId] of [
        ["a1", "a"],
        ["a2", "a"],
        ["a3", "a"],
        ["b1", "b"],
        ["b2", "b"]
      ] as const) {
        yield* launchLater(attemptId, { workspaceId })
      }
      yield* Layer.build(atWork(stand.layer))
      yield* end("running")
      for (const count of [1, 2, 3, 4, 5]) {
        yield* until(Effect.sync(() => stand.told.begun.length === count))
        yield* end(begun(stand).at(-1) ?? "")
      }
      assert.deepStrictEqual(begun(stand), ["a1", "b1", "a2", "b2", "a3"])
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scopedLive("looks again when the settings change, and ends what can never start any more", () =>
    Effect.gen(function* () {
      const stand = launches()
      yield* choose({ limits: { workspace: { runs: 1, memoryMb: 10 } } })
      yield* launch("first", { capacity: { runs: 1, processes: 1, memoryMb: 10 } })
      yield* launchLater("second")
      yield* launchLater("large", { capacity: { runs: 1, processes: 1, memoryMb: 9 } })
      yield* Layer.build(atWork(stand.layer))
      yield* choose({ limits: { workspace: { runs: 2, memoryMb: 8 } } })
      yield* until(Effect.sync(() => stand.told.begun.length === 1))
      assert.deepStrictEqual(yield* states, { second: "dispatched", large: "terminal" })
      assert.deepInclude(stand.told.withdrawn[0], { outcome: "policy-denied" })
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scopedLive("begins each once, although a process died after it had claimed them", () =>
    Effect.gen(function* () {
      const stand = launches()
      yield* room(2)
      yield* launch("first")
      yield* launch("second")
      for (const attemptId of ["third", "fourth", "fifth"]) yield* launchLater(attemptId)
      yield* end("first")
      yield* end("second")
      assert.strictEqual((yield* claimAndDie(stand.layer)).length, 2)
      assert.deepStrictEqual(yield* states, { third: "leased", fourth: "leased", fifth: "queued" })
      yield* worksUntil(
        atWork(stand.layer),
        Effect.sync(() => stand.told.begun.length === 2)
      )
      assert.deepStrictEqual(begun(stand), ["third", "fourth"])
      assert.strictEqual(yield* running, 2)
      yield* end("third")
      yield* worksUntil(
        atWork(stand.layer),
        Effect.sync(() => stand.told.begun.length === 3)
      )
      assert.deepStrictEqual(begun(stand), ["third", "fourth", "fifth"])
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scopedLive("ends an entry whose launch can't begin, and gives its room to the next", () =>
    Effect.gen(function* () {
      const stand = launches(({ by }) =>
        Effect.succeed(by.permissions.has("task:write") ? { _tag: "Begun" } : { _tag: "Cannot" })
      )
      yield* room(1)
      yield* launch("first")
      yield* launchLater("second")
      yield* end("first")
      yield* worksUntil(
        atWork(stand.layer, standing(false)),
        Effect.map(states, ({ second }) => second === "terminal")
      )
      assert.deepStrictEqual(begun(stand), [])
      assert.strictEqual(yield* running, 0)
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scopedLive("tries again what broke, and gives it up after some times", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const stand = launches(() => Effect.dieMessage("The launch broke"))
      yield* room(1)
      yield* launch("first")
      yield* launchLater("second")
      yield* Layer.build(atWork(stand.layer))
      yield* end("first")
      // The clock is stepped past each pause, and whoever rings is a launch that needs no room.
      yield* until(
        Effect.gen(function* () {
          yield* clock.step("1 minute")
          yield* choose({ queue: { retryAfterMs: 1 } })
          return (yield* states)["second"] === "terminal"
        })
      )
      assert.deepInclude(stand.told.withdrawn[0], { outcome: "dispatch-broke" })
      assert.strictEqual(yield* running, 0)
    }).pipe(
      Effect.provide(
        storageInMemory.pipe(
          Layer.provideMerge(clock.layer),
          Layer.merge(Logger.minimumLogLevel(LogLevel.None))
        )
      )
    )
  })

  it.scopedLive("lets exactly one of a cancel and a start win, however often they meet", () =>
    Effect.gen(function* () {
      const stand = launches()
      yield* choose({ limits: { global: { runs: 40 } }, queue: { maxEntries: 100 } })
      yield* choose({ limits: { workspace: { runs: null } } })
      const before = Array.from({ length: 40 }, (_, index) => `running${index}`)
      const after = Array.from({ length: 40 }, (_, index) => `waiting${index}`)
      yield* Effect.forEach(before, (attemptId) => launch(attemptId), { discard: true })
      const waiting = yield* Effect.forEach(after, (attemptId) => launchLater(attemptId))
      yield* Effect.gen(function* () {
        const queue = yield* Queue
        const [cancelled] = yield* Effect.all(
          [
            Effect.forEach(waiting, ({ queueId }) => Effect.either(queue.cancel(queueId, tester)), {
              concurrency: "unbounded"
            }),
            Effect.forEach(before, end, { concurrency: "unbounded", discard: true })
          ],
          { concurrency: "unbounded" }
        )
        yield* until(
          Effect.map(states, (all) => !Object.values(all).some((one) => one === "queued" || one === "leased"))
        )
        const won = cancelled.filter(({ _tag }) => _tag === "Right").length
        assert.strictEqual(stand.told.begun.length + won, 40)
        assert.strictEqual(stand.told.withdrawn.length, won)
        assert.strictEqual(yield* running, stand.told.begun.length)
        const over = yield* Effect.flip(queue.cancel(waiting[0]?.queueId ?? "", tester))
        assert.strictEqual(over._tag, "QueueEntryOver")
      }).pipe(Effect.provide(atWork(stand.layer)))
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scopedLive("cancels what has capacity and has not begun, and gives that back", () =>
    Effect.gen(function* () {
      const stand = launches()
      yield* room(1)
      yield* launch("first")
      const { queueId } = yield* launchLater("second")
      yield* end("first")
      yield* claimAndDie(stand.layer)
      assert.strictEqual(yield* running, 1)
      const { entry, eligibility } = yield* Effect.flatMap(Queue, (queue) =>
        queue.cancel(queueId, tester)
      ).pipe(Effect.provide(Layer.provide(Queue.layer, stand.layer)))
      assert.strictEqual(entry.state, "terminal")
      assert.strictEqual(eligibility.outcome, "cancelled")
      assert.strictEqual(yield* running, 0)
      assert.deepInclude(stand.told.withdrawn[0], { outcome: "cancelled", queueId })
    }).pipe(Effect.provide(storageInMemory))
  )
})
