import { Effect, Schema } from "effect"
import { newId } from "../../kernel/Ids.ts"

/**
 * The place of a run in the tree of what it is done for: a goal, else a workflow run, else the first task. A node is
 * not the task that it works on.
 */
export const ExecutionTreeIdentity = Schema.Struct({
  schemaVersion: Schema.Literal("execution-tree-identity/v1"),
  rootObjectiveId: Schema.String,
  nodeId: Schema.String,
  parentNodeId: Schema.NullOr(Schema.String),
  depth: Schema.Int
}).annotations({ identifier: "ExecutionTreeIdentity" })
export type ExecutionTreeIdentity = typeof ExecutionTreeIdentity.Type

const node = (
  rootObjectiveId: string,
  parentNodeId: string | null,
  depth: number
): Effect.Effect<ExecutionTreeIdentity> =>
  Effect.map(newId("node"), (nodeId) => ({
    schemaVersion: "execution-tree-identity/v1",
    rootObjectiveId,
    nodeId,
    parentNodeId,
    depth
  }))

/** The first node of a tree. */
export const rootNode = (rootObjectiveId: string): Effect.Effect<ExecutionTreeIdentity> =>
  node(rootObjectiveId, null, 0)

/** A new node below another one. */
export const childNode = ({
  depth,
  nodeId,
  rootObjectiveId
}: ExecutionTreeIdentity): Effect.Effect<ExecutionTreeIdentity> => node(rootObjectiveId, nodeId, depth + 1)
