import { Schema } from "effect"
import { kept } from "../../kernel/Incoming.ts"
import { everyIssue, integer } from "../../kernel/Text.ts"
import { Task, TaskStatus } from "./Task.ts"

/** The id that a client gives to an operation, so that it is safe to repeat. */
export const OperationId = Schema.UUID.annotations({
  message: () => ({ message: "Expected a UUID", override: true })
}).pipe(kept("The digits of a UUID are compared with those of the operations that were done."))

const Index = integer(0, 1_000_000)

/**
 * The body of a move (spec 1-core, Move): what the client saw, and where the card is to go. The operation id makes it
 * safe to repeat: a repeated move answers what the first one answered.
 */
export const Move = Schema.Struct({
  operationId: OperationId,
  sourceStatus: TaskStatus,
  sourcePosition: Index,
  destinationStatus: TaskStatus,
  destinationIndex: Index.annotations({
    description: "The place in the destination column, from 0; beyond the end means the end"
  })
}).annotations({ identifier: "Move", ...everyIssue })
export type Move = typeof Move.Type

/** The answer of a move: the task, and the order of the column that it now stands in. */
export const MoveResult = Schema.Struct({
  task: Task,
  operationId: Schema.String,
  orderedTaskIds: Schema.Array(Schema.String),
  replayed: Schema.Boolean
}).annotations({ identifier: "MoveResult" })
