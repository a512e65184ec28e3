import { Context, Data, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { OperationReused } from "../../kernel/OperationReused.ts"
import { type Precondition, type Revised, unconditional } from "../../kernel/Revision.ts"
import * as Idempotency from "../../storage/Idempotency.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { StatusRefused, TaskFull } from "../tasks/Errors.ts"
import { StatusRules, type StatusRulesService } from "../tasks/StatusRules.ts"
import {
  changeStatus,
  findForWrite,
  findTaskRow,
  revisedOf,
  TaskQueue,
  type TaskRow,
  type Write,
  type WriteRefused
} from "../tasks/Units.ts"
import { TaskNotClaimable } from "./Errors.ts"
import { TaskClaimed } from "./Events.ts"
import {
  type Claim,
  type Claimed,
  type ClaimNext,
  defaultAlternatives,
  holdersOf,
  isOthers,
  type NextQuery,
  type NextTask,
  type Queue,
  reasonAmong,
  reasonsAgainst,
  reasonsFor
} from "./Next.ts"

/** Finds work for agents, and hands it out: a task to one of them at a time. */
export interface NextTasksService {
  readonly next: (query: NextQuery, by: ActorContext) => Effect.Effect<NextTask>
  readonly claimNext: (
    claim: ClaimNext,
    by: ActorContext
  ) => Effect.Effect<typeof Claimed.Type, StatusRefused | TaskFull | OperationReused>
  readonly claim: (
    id: string,
    claim: Claim,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, WriteRefused | TaskFull | StatusRefused | TaskNotClaimable>
}

export class NextTasks extends Context.Tag("muster/NextTasks")<NextTasks, NextTasksService>() {
  static readonly layer = Layer.effect(
    NextTasks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const rules = yield* StatusRules
      return NextTasks.of({
        next: (query, by) => storage.read(nextTask(query, query.agent ?? by.name)),
        claimNext: Effect.fn("NextTasks.claimNext")(({ operationId, ...which }, by) =>
          storage.write(claimOnce(rules, { agent: by.name, ...which }, operationId, by)).pipe(
            Effect.map(({ replayed, value }) => ({ ...value, replayed })),
            Effect.catchTag("NothingToClaim", ({ queue }) =>
              Effect.succeed({ task: null, reasons: reasonsAgainst(queue), replayed: false })
            )
          )
        ),
        claim: Effect.fn("NextTasks.claim")((id, { agent }, precondition, by) =>
          Effect.map(
            storage.write(
              claimTask(rules, id, { operation: "claim", by, agent: agent ?? by.name, precondition })
            ),
            revisedOf
          )
        )
      })
    })
  )
}

/** There is nothing to claim. As a failure it takes back the unit, so that the operation can be tried again. */
class NothingToClaim extends Data.TaggedError("NothingToClaim")<{ readonly queue: Queue }> {}

/** A task of the queue as it stands on the board. It was found in the same unit, so a miss is a defect. */
const taskOf = ({ id, row }: TaskQueue.QueuedTask) =>
  Effect.filterOrDieMessage(
    findTaskRow(row),
    (found) => found !== undefined,
    `Task ${id} left the board under its own unit`
  )

const nextTask = (query: NextQuery, agent: string) =>
  Effect.gen(function* () {
    const which = { ...query, agent }
    const limit = 1 + (query.limit ?? defaultAlternatives)
    const [first, ...others] = yield* TaskQueue.ready(which, limit)
    const queue = yield* TaskQueue.counts(which)
    if (first === undefined) return { task: null, reasons: reasonsAgainst(queue), alternatives: [], queue }
    const { position, task } = yield* taskOf(first)
    return {
      task: { ...task, position },
      reasons: [...reasonsFor(first, agent), reasonAmong(queue)],
      alternatives: others.map(({ row: _, ...alternative }) => alternative),
      queue
    }
  })

const claimOnce = (
  rules: StatusRulesService,
  query: TaskQueue.QueueQuery,
  operationId: string | undefined,
  by: ActorContext
) => {
  const unit = claimFirst(rules, query, by)
  // The letters of a UUID have no case, so it is no part of the input either.
  return operationId === undefined
    ? Effect.map(unit, (value) => ({ value, replayed: false }))
    : Idempotency.once({ scope: "claim-next", id: operationId.toLowerCase(), input: query })(unit)
}

const claimFirst = (rules: StatusRulesService, query: TaskQueue.QueueQuery, by: ActorContext) =>
  Effect.gen(function* () {
    const [first] = yield* TaskQueue.ready(query, 1)
    if (first === undefined) return yield* new NothingToClaim({ queue: yield* TaskQueue.counts(query) })
    const write = { operation: "claim", by, agent: query.agent, precondition: unconditional }
    const { position, task } = yield* take(rules, yield* taskOf(first), write)
    return { task: { ...task, position }, reasons: reasonsFor(first, query.agent) }
  })

const claimTask = (rules: StatusRulesService, id: string, write: Claiming) =>
  Effect.gen(function* () {
    const before = yield* findForWrite(id, write)
    const { status } = before.task
    const refused = (reason: TaskNotClaimable["reason"]) =>
      new TaskNotClaimable({ taskId: id, status, reason, holders: holdersOf(before.task) })
    if (status !== "todo") return yield* refused("not-todo")
    if (isOthers(before.task, write.agent)) return yield* refused("given-to-others")
    return yield* take(rules, before, write)
  })

/** A write that is done for an agent. */
type Claiming = Write & { readonly agent: string }

/** Puts a task in progress in the hands of an agent. Units run one after another, so nobody else has it by now. */
const take = (
  rules: StatusRulesService,
  before: TaskRow,
  write: Claiming
): Effect.Effect<TaskRow, StatusRefused | TaskFull, Sql> =>
  changeStatus(
    rules,
    before,
    { ...before.task, assignee: write.agent },
    { status: "in-progress" },
    write,
    (changed) => new TaskClaimed(changed)
  )
