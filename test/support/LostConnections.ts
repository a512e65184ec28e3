import { assert } from "@effect/vitest"
import { Array as Arr, Effect, Fiber, Random, type Scope } from "effect"
import { ask, createTask, getTask } from "./Board.ts"
import type { Listener, Message, UpgradeRefused } from "./Socket.ts"
import type { World } from "./World.ts"

/** Opens a connection that goes on after a sequence. */
export type ComeBack = (after: number) => Effect.Effect<Listener, UpgradeRefused, World | Scope.Scope>

const taskCount = 4

/** Changes a task without a pause until it is interrupted. */
const changing = (id: string) =>
  Effect.forever(ask("PATCH", `/api/tasks/${id}`, { body: { description: "x".repeat(2_000) } }))

/** Says one thing after another until it is interrupted, and notes what. */
const talking = (said: Array<string>) =>
  Effect.forever(
    Effect.map(
      ask("POST", "/api/chat/squad", { body: { agent: "talker", message: "Still here" } }),
      ({ id }) => said.push(id)
    )
  )

/**
 * Loses its connection again and again, at any point, while others write; then looks at what it has heard: sequences
 * rise, what was said came once and in order, and of each task revisions rise to the one that it has now.
 */
export const loseConnections = (comeBack: ComeBack, times: number) =>
  Effect.gen(function* () {
    const tasks = yield* Effect.forEach(Arr.range(1, taskCount), () => createTask())
    const said: Array<string> = []
    const writers = yield* Effect.fork(
      Effect.all([talking(said), ...tasks.map(({ id }) => changing(id))], { concurrency: "unbounded" })
    )
    const heard: Array<Message> = []
    const cursor = (): number => heard.at(-1)?.sequence ?? 0
    const losing = Effect.gen(function* () {
      for (const _ of Arr.range(1, times)) {
        const count = yield* Random.nextIntBetween(1, 40)
        const pause = yield* Random.nextIntBetween(0, 15)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const listener = yield* comeBack(cursor())
            for (const __ of Arr.range(1, count)) heard.push(yield* listener.next)
            yield* listener.cut
          })
        )
        yield* Effect.sleep(pause)
      }
    })
    // A writer that fails would leave the listener waiting for ever.
    yield* Effect.raceFirst(losing, Fiber.join(writers))
    yield* Fiber.interrupt(writers)
    // What was under way when the writers were stopped is done when this is.
    const last = yield* createTask()
    const listener = yield* comeBack(cursor())
    while (heard.at(-1)?.task?.id !== last.id) heard.push(yield* listener.next)
    heard.push(...(yield* listener.waiting))
    const sequences = heard.map(({ sequence }): number => sequence)
    assert.deepStrictEqual(
      sequences,
      [...new Set(sequences)].sort((a, b) => a - b)
    )
    const messages = heard.flatMap(({ message }): ReadonlyArray<string> => (message ? [message.id] : []))
    assert.deepStrictEqual(messages.slice(0, said.length), said)
    for (const { id } of tasks) {
      const revisions = heard.flatMap(
        ({ task }): ReadonlyArray<number> => (task?.id === id ? [task.revision] : [])
      )
      assert.deepStrictEqual(
        revisions,
        revisions.toSorted((a, b) => a - b)
      )
      assert.strictEqual(revisions.at(-1), (yield* getTask(id)).revision)
    }
  })
