import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { type Precondition, unconditional } from "../../kernel/Revision.ts"
import { Storage } from "../../storage/Storage.ts"
import type { TaskFull, TaskNotFound } from "../tasks/Errors.ts"
import { TaskUpdated } from "../tasks/Events.ts"
import type { StoredTask } from "../tasks/Task.ts"
import {
  commit,
  findForWrite,
  glimpsesOf,
  requireTask,
  type TaskGlimpse,
  type Write,
  type WriteRefused
} from "../tasks/Units.ts"
import type {
  BlockingStatus,
  BlocksNode,
  DependencyGraph,
  DependsOnNode,
  Direction,
  Dependencies as Resource,
  TaskNode
} from "./Dependency.ts"
import { type Edge, type Nested, nodeLimit, treeFrom } from "./DependencyGraph.ts"
import * as DependencyRepo from "./DependencyRepo.ts"
import { DependencyCycle, DependencyExists, DependencyNotFound, SelfDependency } from "./Errors.ts"

/** One edge as a request names it: the task of the path, the other task, and which way the edge points. */
export interface EdgeRequest {
  readonly id: string
  readonly other: string
  readonly direction: Direction
}

/** Which tasks depend on which. An edge is part of the task that depends: adding it raises that task's revision. */
export interface DependenciesService {
  readonly list: (id: string) => Effect.Effect<Resource, TaskNotFound>
  readonly add: (
    edge: EdgeRequest,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Resource, WriteRefused | TaskFull | SelfDependency | DependencyCycle | DependencyExists>
  readonly remove: (
    edge: EdgeRequest,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<void, WriteRefused | TaskFull | DependencyNotFound>
  readonly graph: (id: string) => Effect.Effect<typeof DependencyGraph.Type, TaskNotFound>
  readonly blockingStatus: (id: string) => Effect.Effect<typeof BlockingStatus.Type, TaskNotFound>
}

export class Dependencies extends Context.Tag("muster/Dependencies")<Dependencies, DependenciesService>() {
  static readonly layer = Layer.effect(
    Dependencies,
    Effect.gen(function* () {
      const storage = yield* Storage
      const list = (id: string) => storage.read(describe(id))
      return Dependencies.of({
        list,
        graph: (id) => storage.read(graphAround(id)),
        blockingStatus: (id) => storage.read(blockingStatusOf(id)),
        add: Effect.fn("Dependencies.add")((edge, precondition, by) =>
          storage.write(
            Effect.zipRight(
              addEdge(edge, { operation: "depend", by, precondition }),
              Effect.orDie(describe(edge.id))
            )
          )
        ),
        remove: Effect.fn("Dependencies.remove")((edge, precondition, by) =>
          storage.write(removeEdge(edge, { operation: "depend", by, precondition }))
        )
      })
    })
  )
}

const nodeOf = ({ id, status, title }: TaskGlimpse): TaskNode => ({ id, title, status })

/** The precondition of a request holds for the task of its path; the dependent may be the other one. */
const checked = (edge: EdgeRequest, write: Write) =>
  Effect.gen(function* () {
    const addressed = yield* findForWrite(edge.id, write)
    if (edge.direction === "depends_on") return { dependent: addressed, dependsOn: edge.other }
    const dependent = yield* findForWrite(edge.other, { ...write, precondition: unconditional })
    return { dependent, dependsOn: edge.id }
  })

const addEdge = (edge: EdgeRequest, write: Write) =>
  Effect.gen(function* () {
    if (edge.id === edge.other) {
      const message = "A task can't depend on itself"
      return yield* new SelfDependency({ issues: [{ path: "dependsOn", message }] })
    }
    const { dependent, dependsOn } = yield* checked(edge, write)
    yield* requireTask(dependsOn)
    const taskId = dependent.task.id
    if (dependent.task.dependencies.includes(dependsOn))
      return yield* new DependencyExists({ taskId, dependsOn })
    if (yield* DependencyRepo.leadsTo(dependsOn, taskId))
      return yield* new DependencyCycle({ taskId, dependsOn })
    yield* commitDependencies(dependent.task.dependencies.concat(dependsOn), dependent, write)
  })

const removeEdge = (edge: EdgeRequest, write: Write) =>
  Effect.gen(function* () {
    const { dependent, dependsOn } = yield* checked(edge, write)
    const left = dependent.task.dependencies.filter((id) => id !== dependsOn)
    if (left.length === dependent.task.dependencies.length) {
      return yield* new DependencyNotFound({ taskId: dependent.task.id, dependsOn })
    }
    yield* commitDependencies(left, dependent, write)
  })

const commitDependencies = (
  dependencies: StoredTask["dependencies"],
  dependent: Effect.Effect.Success<ReturnType<typeof findForWrite>>,
  write: Write
) =>
  commit(
    dependent,
    { task: { ...dependent.task, dependencies } },
    write,
    (changed) => new TaskUpdated({ ...changed, fields: ["dependencies"] })
  )

const describe = (id: string) =>
  Effect.gen(function* () {
    const { task } = yield* requireTask(id)
    const below = yield* DependencyRepo.edgesBelow(id)
    const above = yield* DependencyRepo.edgesAbove(id)
    const nodes = yield* glimpsesOf([...below, ...above].flatMap(({ from, to }) => [from, to]))
    const resource: Resource = {
      task: { id, title: task.title, status: task.status },
      depends_on: dependsOnNodes(treeFrom(below, id), nodes),
      blocks: blocksNodes(treeFrom(above.map(turned), id), nodes)
    }
    return resource
  })

const turned = ({ from, to }: Edge): Edge => ({ from: to, to: from })

const dependsOnNodes = (
  tree: ReadonlyArray<Nested>,
  nodes: ReadonlyMap<string, TaskGlimpse>
): ReadonlyArray<DependsOnNode> =>
  tree.flatMap(({ id, next }) => {
    const node = nodes.get(id)
    return node === undefined ? [] : [{ ...nodeOf(node), depends_on: dependsOnNodes(next, nodes) }]
  })

const blocksNodes = (
  tree: ReadonlyArray<Nested>,
  nodes: ReadonlyMap<string, TaskGlimpse>
): ReadonlyArray<BlocksNode> =>
  tree.flatMap(({ id, next }) => {
    const node = nodes.get(id)
    return node === undefined ? [] : [{ ...nodeOf(node), blocks: blocksNodes(next, nodes) }]
  })

const graphAround = (id: string) =>
  Effect.gen(function* () {
    yield* requireTask(id)
    const found = [...(yield* DependencyRepo.edgesBelow(id)), ...(yield* DependencyRepo.edgesAbove(id))]
    const edges = [...new Map(found.map((edge) => [JSON.stringify(edge), edge])).values()]
    const nodes = yield* glimpsesOf([id, ...edges.flatMap(({ from, to }) => [from, to])])
    return { root: id, nodes: [...nodes.values()].map(nodeOf), edges, truncated: nodes.size >= nodeLimit }
  })

/** A task is out of the way when it is done, cancelled or archived. */
const isResolved = ({ archived, status }: TaskGlimpse): boolean =>
  archived || status === "done" || status === "cancelled"

const blockingStatusOf = (id: string) =>
  Effect.gen(function* () {
    const { task } = yield* requireTask(id)
    const nodes = yield* glimpsesOf(task.dependencies)
    const blockers = task.dependencies.flatMap((dependency) => {
      const node = nodes.get(dependency)
      return node === undefined || isResolved(node) ? [] : [nodeOf(node)]
    })
    return { taskId: id, isBlocked: blockers.length > 0, blocked: blockers.length > 0, blockers }
  })
