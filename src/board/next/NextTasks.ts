import { Context, Data, Effect, Layer } from "effect"
import { type ActorContext, identityOf } from "../../kernel/Actor.ts"
import type { OperationReused } from "../../kernel/OperationReused.ts"
import { type Precondition, type Revised, unconditional } from "../../kernel/Revision.ts"
import { now } from "../../kernel/Time.ts"
import * as Idempotency from "../../storage/Idempotency.ts"
import { moves, type Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { claimDuration } from "../settings/Units.ts"
import type { StatusRefused, TaskFull } from "../tasks/Errors.ts"
import { StatusRules, type StatusRulesService } from "../tasks/StatusRules.ts"
import {
  Claim,
  ClaimRepo,
  changeStatus,
  findForWrite,
  findTaskRow,
  revisedOf,
  shownTask,
  TaskQueue,
  type TaskRow,
  type Write,
  type WriteRefused
} from "../tasks/Units.ts"
import { AttemptLeases, type AttemptLeasesService } from "../worktrees/AttemptLeases.ts"
import { TaskNotClaimable } from "./Errors.ts"
import { TaskClaimed } from "./Events.ts"
import {
  type ClaimDraft,
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
import { startTelling, tellLapse, tellTakeover } from "./TellLapse.ts"

/** Finds work for agents, and hands it out: a task to one of them at a time. */
export interface NextTasksService {
  readonly next: (query: NextQuery, by: ActorContext) => Effect.Effect<NextTask>
  readonly claimNext: (
    claim: ClaimNext,
    by: ActorContext
  ) => Effect.Effect<typeof Claimed.Type, StatusRefused | TaskFull | OperationReused>
  readonly claim: (
    id: string,
    claim: ClaimDraft,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<Revised, WriteRefused | TaskFull | StatusRefused | TaskNotClaimable>
}

export class NextTasks extends Context.Tag("muster/NextTasks")<NextTasks, NextTasksService>() {
  static readonly layer = Layer.scoped(
    NextTasks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const rules = yield* StatusRules
      const attempts = yield* AttemptLeases
      const means = { rules, attempts }
      yield* startTelling
      return NextTasks.of({
        next: (query, by) => storage.read(nextTask(query, query.agent ?? by.name)),
        claimNext: Effect.fn("NextTasks.claimNext")(({ operationId, ...which }, by) =>
          storage.write(claimOnce(means, { agent: by.name, ...which }, operationId, by)).pipe(
            Effect.map(({ replayed, value }) => ({ ...value, replayed })),
            Effect.catchTag("NothingToClaim", ({ queue }) =>
              Effect.succeed({ task: null, reasons: reasonsAgainst(queue), replayed: false })
            )
          )
        ),
        claim: Effect.fn("NextTasks.claim")((id, { agent }, precondition, by) =>
          Effect.flatMap(
            storage.write(
              claimTask(means, id, { operation: "claim", by, agent: agent ?? by.name, precondition })
            ),
            revisedOf
          )
        )
      })
    })
  )
}

/** What a claim asks of others: what a new status sets off, and whether an attempt runs. */
interface Means {
  readonly rules: StatusRulesService
  readonly attempts: AttemptLeasesService
}

/** Who asks for work, and what for. */
type Asked = Omit<TaskQueue.QueueQuery, "at">

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
    const which = { ...query, agent, at: yield* now }
    const limit = 1 + (query.limit ?? defaultAlternatives)
    const [first, ...others] = yield* TaskQueue.ready(which, limit)
    const queue = yield* TaskQueue.counts(which)
    if (first === undefined) return { task: null, reasons: reasonsAgainst(queue), alternatives: [], queue }
    return {
      task: yield* shownTask(yield* taskOf(first)),
      reasons: [...reasonsFor(first, agent), reasonAmong(queue)],
      alternatives: others.map(({ row: _, ...alternative }) => alternative),
      queue
    }
  })

const claimOnce = (means: Means, query: Asked, operationId: string | undefined, by: ActorContext) => {
  const unit = claimFirst(means, query, by)
  // The letters of a UUID have no case, so it is no part of the input either.
  return operationId === undefined
    ? Effect.map(unit, (value) => ({ value, replayed: false }))
    : Idempotency.once({ scope: "claim-next", id: operationId.toLowerCase(), input: query })(unit)
}

const claimFirst = (means: Means, asked: Asked, by: ActorContext) =>
  Effect.gen(function* () {
    const query = { ...asked, at: yield* now }
    const [first] = yield* TaskQueue.ready(query, 1)
    if (first === undefined) return yield* new NothingToClaim({ queue: yield* TaskQueue.counts(query) })
    const write = { operation: "claim", by, agent: query.agent, precondition: unconditional }
    const taken = yield* take(means, yield* taskOf(first), write)
    return { task: yield* shownTask(taken), reasons: reasonsFor(first, query.agent) }
  })

const claimTask = (means: Means, id: string, write: Claiming) =>
  Effect.gen(function* () {
    const before = yield* findForWrite(id, write)
    if (lapsedOf(before, yield* now) !== undefined) return yield* take(means, before, write)
    const { status } = before.task
    const refused = (reason: TaskNotClaimable["reason"]) =>
      new TaskNotClaimable({ taskId: id, status, reason, holders: holdersOf(before.task) })
    if (status !== "todo") return yield* refused("not-todo")
    if (isOthers(before.task, write.agent)) return yield* refused("given-to-others")
    return yield* take(means, before, write)
  })

/** A write that is done for an agent. */
type Claiming = Write & { readonly agent: string }

/** Whoever holds a task in progress and let their claim lapse. */
const lapsedOf = ({ claim, task }: TaskRow, at: number): Claim.Holding | undefined =>
  task.status === "in-progress" && claim?.holding !== undefined && Claim.isStale(claim.holding, at)
    ? claim.holding
    : undefined

/**
 * Puts a task in progress in the hands of an agent, and gives it a claim to renew. Units run one after another, so nobody
 * else has it by now. While an attempt runs on the task there is no claim beside it: the attempt keeps the task.
 */
const take = (
  { attempts, rules }: Means,
  before: TaskRow,
  write: Claiming
): Effect.Effect<TaskRow, StatusRefused | TaskFull, Sql> =>
  Effect.gen(function* () {
    const { agent, by } = write
    const { id, revision, title } = before.task
    const at = yield* now
    const lapsed = lapsedOf(before, at)
    if (before.claim !== undefined && lapsed !== undefined) {
      yield* tellLapse({ row: before.row, id, title, revision, claim: before.claim })
      if (lapsed.identity !== identityOf(by))
        yield* tellTakeover(before.task, { from: lapsed.agent, to: agent }, by)
    }
    const attempt = yield* attempts.of(id)
    const claim =
      attempt.activeAttemptId === undefined
        ? Claim.claimed(before.claim, by, { agent, at, duration: yield* claimDuration })
        : undefined
    if (claim !== undefined) yield* moves(ClaimRepo.claimStream)
    return yield* changeStatus(
      rules,
      before,
      { ...before.task, assignee: agent },
      { status: "in-progress" },
      { ...write, ...(claim === undefined ? {} : { claim }) },
      (changed) => new TaskClaimed({ ...changed, ...(claim === undefined ? {} : { epoch: claim.epoch }) })
    )
  })
