import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck as fc, Layer } from "effect"
import { StatusRules } from "../../../src/board/tasks/StatusRules.ts"
import { TaskStatus } from "../../../src/board/tasks/Task.ts"
import { TaskRemovals } from "../../../src/board/tasks/TaskRemoval.ts"
import { Tasks } from "../../../src/board/tasks/Tasks.ts"
import { unconditional } from "../../../src/kernel/Revision.ts"
import { tester } from "../../support/Journal.ts"
import { storage } from "../../support/TestStorage.ts"
import { BoardModel, idsOf, Step } from "./BoardModel.ts"

/** Tasks without gates: here only their places matter. */
const noRules = Layer.succeed(StatusRules, {
  admit: () => Effect.void,
  automate: ({ task }) => Effect.succeed(task)
})
/** Nothing is kept about tasks. */
const nothingKept = Layer.succeed(TaskRemovals, [])
const board = Tasks.layer.pipe(Layer.provide([noRules, nothingKept]), Layer.provideMerge(storage))

interface Card {
  readonly id: string
  readonly status: TaskStatus
  readonly position: number
}

const listed = (filter: Parameters<Tasks["Type"]["list"]>[0]) =>
  Effect.flatMap(Tasks, (tasks) =>
    Effect.map(tasks.list(filter), ({ json }): ReadonlyArray<Card> => JSON.parse(json).tasks)
  )

/** Does a step to tasks that are there already. */
const perform = (step: Exclude<Step, { do: "create" }>, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const tasks = yield* Tasks
    const [id = ""] = ids
    switch (step.do) {
      case "reorder":
        return yield* tasks.reorder({ taskIds: ids }, tester)
      case "patch":
        return yield* tasks.patch(id, { status: step.status }, unconditional, tester)
      case "archive":
        return yield* tasks.archive(id, unconditional, tester)
      case "restore":
        return yield* tasks.restore(id, unconditional, tester)
      case "delete":
        return yield* tasks.remove(id, unconditional, tester)
      case "demote":
        return yield* tasks.demote(id, unconditional, tester)
      case "promote":
        return yield* tasks.promote(id, unconditional, tester)
      case "move": {
        const now: Card = JSON.parse((yield* tasks.get(id)).json)
        const move = {
          operationId: randomUUID(),
          sourceStatus: now.status,
          sourcePosition: now.position,
          destinationStatus: step.status,
          destinationIndex: step.index
        }
        return yield* tasks.move(id, move, { given: true, expectations: [] }, tester)
      }
    }
  })

/**
 * Compares the board with the model: the order of every column, and its positions from 0 without a gap; of the archive
 * the order alone, column by column.
 */
const compare = (model: BoardModel) =>
  Effect.gen(function* () {
    const found = yield* listed({})
    for (const status of TaskStatus.literals) {
      const column = found.filter((card) => card.status === status)
      assert.deepStrictEqual(
        column.map(({ id, position }) => [id, position]),
        model.column(status).map((id, index) => [id, index]),
        status
      )
    }
    const archive = yield* listed({ archived: "true" })
    assert.deepStrictEqual(
      archive.map(({ id }) => id),
      TaskStatus.literals.flatMap((status) => model.archivedFrom(status))
    )
  })

/** Does a step to the board and to the model; both must do it, or both refuse it. */
const live = (model: BoardModel, step: Step) =>
  Effect.gen(function* () {
    if (step.do === "create") {
      const tasks = yield* Tasks
      const { id } = yield* tasks.create({ title: "A task", status: step.status }, tester)
      return model.put(id, step.status)
    }
    const ids = idsOf(step, model)
    const done = yield* Effect.either(perform(step, ids))
    assert.strictEqual(Either.isRight(done), model.perform(step, ids), JSON.stringify(step))
  })

describe("the order of the board", () => {
  it("is that of plain lists, whatever is done to it", () =>
    fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 5, maxLength: 40, size: "max" }), (steps) =>
        Effect.gen(function* () {
          const model = new BoardModel()
          for (const step of steps) {
            yield* live(model, step)
            yield* compare(model)
          }
        }).pipe(Effect.provide(board), Effect.runPromise)
      ),
      { numRuns: 60 }
    ))
})
