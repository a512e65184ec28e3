import { Schema } from "effect"
import { everyIssue } from "../../kernel/Text.ts"
import { TaskIdParam, TaskStatus } from "../tasks/Task.ts"

/** Which way an edge points: the task depends on the other one, or blocks it. */
export const Direction = Schema.Literal("depends_on", "blocks")
export type Direction = typeof Direction.Type

/** A task as dependency answers show it. */
export const TaskNode = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  status: TaskStatus
}).annotations({ identifier: "TaskNode" })
export type TaskNode = typeof TaskNode.Type

export interface DependsOnNode extends TaskNode {
  readonly depends_on: ReadonlyArray<DependsOnNode>
}
export interface BlocksNode extends TaskNode {
  readonly blocks: ReadonlyArray<BlocksNode>
}

const DependsOnNode = Schema.Struct({
  ...TaskNode.fields,
  depends_on: Schema.Array(Schema.suspend((): Schema.Schema<DependsOnNode> => DependsOnNode))
}).annotations({ identifier: "DependsOnNode" })

const BlocksNode = Schema.Struct({
  ...TaskNode.fields,
  blocks: Schema.Array(Schema.suspend((): Schema.Schema<BlocksNode> => BlocksNode))
}).annotations({ identifier: "BlocksNode" })

/** What a task depends on and what it blocks, nested up to ten levels deep. */
export const Dependencies = Schema.Struct({
  task: TaskNode,
  depends_on: Schema.Array(DependsOnNode),
  blocks: Schema.Array(BlocksNode)
}).annotations({ identifier: "Dependencies" })
export type Dependencies = typeof Dependencies.Type

/**
 * A new edge. With `depends_on` the task of the path depends on `dependsOn`; with `blocks` it is the other way round:
 * then `dependsOn`, despite its name, is the task that is blocked.
 */
export const DependencyDraft = Schema.Struct({
  dependsOn: TaskIdParam,
  direction: Schema.optionalWith(Direction, { exact: true })
}).annotations({ identifier: "DependencyDraft", ...everyIssue })

/** All tasks that are connected with a task, and the edges between them: `from` depends on `to`. */
export const DependencyGraph = Schema.Struct({
  root: Schema.String,
  nodes: Schema.Array(TaskNode),
  edges: Schema.Array(Schema.Struct({ from: Schema.String, to: Schema.String })),
  truncated: Schema.Boolean
}).annotations({ identifier: "DependencyGraph" })

/** Whether tasks that are not finished stand in the way of a task. */
export const BlockingStatus = Schema.Struct({
  taskId: Schema.String,
  isBlocked: Schema.Boolean,
  blocked: Schema.Boolean,
  blockers: Schema.Array(TaskNode)
}).annotations({ identifier: "BlockingStatus" })
