import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { isVisible } from "../../kernel/Characters.ts"
import { defaultLimit, type Page } from "../../kernel/Paging.ts"
import { conflict, type RevisionConflict } from "../../kernel/Revision.ts"
import { now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import { ApprovalOutcomes, AskerAlive, tellOutcomes } from "./Askers.ts"
import {
  type ActionChanged,
  ApprovalNotFound,
  type ApprovalSettled,
  type AskerGone,
  NotMobileSafe,
  ResponseNotAsked
} from "./Errors.ts"
import { startExpiry } from "./ExpireApprovals.ts"
import { keep } from "./KeepApproval.ts"
import { asOf, type RunApproval } from "./RunApproval.ts"
import * as RunApprovalRepo from "./RunApprovalRepo.ts"
import { Command, decide, type Seen } from "./Transition.ts"
import { findApproval } from "./Units.ts"
import type { ApprovalDecision, PermissionDecision } from "./Wire.ts"

/** Why an answer is refused, whatever whoever gives it has seen. */
export type AnswerRefused = ApprovalNotFound | ApprovalSettled | AskerGone | NotMobileSafe

/** Why a decision on what somebody has seen is refused. */
export type DecisionRefused = AnswerRefused | ActionChanged | RevisionConflict | ResponseNotAsked

/** What runs ask people for, and what people answer. */
export interface RunApprovalsService {
  readonly list: (
    selection: RunApprovalRepo.Selection & { readonly limit?: number | undefined }
  ) => Effect.Effect<Page<RunApproval>>
  readonly get: (id: string) => Effect.Effect<RunApproval, ApprovalNotFound>
  /** Answers what somebody has seen. */
  readonly decide: (
    id: string,
    decision: ApprovalDecision,
    by: ActorContext
  ) => Effect.Effect<RunApproval, DecisionRefused>
  /** Answers whatever is asked by now. */
  readonly decidePermission: (
    id: string,
    decision: PermissionDecision,
    by: ActorContext
  ) => Effect.Effect<RunApproval, AnswerRefused>
}

export class RunApprovals extends Context.Tag("muster/RunApprovals")<RunApprovals, RunApprovalsService>() {
  static readonly layer = Layer.scoped(
    RunApprovals,
    Effect.gen(function* () {
      const storage = yield* Storage
      const askerAlive = yield* AskerAlive
      yield* startExpiry
      yield* tellOutcomes(yield* ApprovalOutcomes)

      /** What was refused may have ended the approval all the same, and that is kept: the refusal follows the commit. */
      const answer = (id: string, answering: Answering, by: ActorContext) =>
        Effect.flatMap(
          storage.write(answerApproval(id, answering, askerAlive, by)),
          ({ approval, refusal }): Effect.Effect<RunApproval, DecisionRefused> => {
            if (refusal === undefined) return Effect.succeed(approval)
            return refusal._tag === "SeenEarlier"
              ? conflict("run-approval", refusal.approval, refusal.revision, refusal.approval)
              : Effect.fail(refusal)
          }
        )

      return RunApprovals.of({
        list: ({ limit = defaultLimit, ...selection }) =>
          storage.read(
            Effect.flatMap(now, (at) =>
              Effect.map(RunApprovalRepo.newest(selection, at, limit), ({ items, total }) => ({
                items: items.map((approval) => asOf(approval, at)),
                total
              }))
            )
          ),
        get: (id) =>
          Effect.filterOrFail(
            storage.read(findApproval(id)),
            (found) => found !== undefined,
            () => new ApprovalNotFound({ approvalId: id })
          ),
        decide: Effect.fn("RunApprovals.decide")((id, decision, by) => {
          const { expectedActionHash: actionHash, expectedRevision: revision, ...said } = decision
          return answer(id, { ...said, seen: { actionHash, revision } }, by)
        }),
        decidePermission: Effect.fn("RunApprovals.decidePermission")((id, decision, by) =>
          // Whoever answers here says nothing of what they saw, and sends no data that could be unasked for.
          Effect.catchTags(answer(id, decision, by), {
            ActionChanged: Effect.die,
            ResponseNotAsked: Effect.die,
            RevisionConflict: Effect.die
          })
        )
      })
    })
  )
}

/** An answer, and what whoever gives it has before them, where they say so. */
interface Answering extends PermissionDecision {
  readonly seen?: Seen
  readonly responseData?: ApprovalDecision["responseData"]
}

/** Whether somebody answers on a phone: those are bound to what is safe there, and a desktop is not (ruling 50). */
const isOnPhone = ({ device }: ActorContext): boolean =>
  device?.clientMode === "mobile" || device?.clientMode === "pwa"

const answerApproval = (
  id: string,
  { decision, note, responseData, seen }: Answering,
  askerAlive: AskerAlive["Type"],
  by: ActorContext
) =>
  Effect.gen(function* () {
    const before = yield* RunApprovalRepo.find(id)
    if (before === undefined) return yield* new ApprovalNotFound({ approvalId: id })
    if (isOnPhone(by) && !before.mobileSafe) {
      return yield* new NotMobileSafe({ approvalId: id, clientMode: by.device?.clientMode ?? "" })
    }
    if (responseData !== undefined) yield* requireAsked(before, decision)
    const outcome = decide(
      before,
      Command.Decide({
        at: yield* now,
        answer: decision,
        by: by.name,
        askerIsAlive: yield* askerAlive(before.attemptId),
        ...(note === undefined || !isVisible(note) ? {} : { note }),
        ...(seen === undefined ? {} : { seen })
      })
    )
    yield* keep(before, outcome.approval, by)
    if (responseData !== undefined && outcome.refusal === undefined) {
      yield* RunApprovalRepo.keepResponse(id, responseData)
    }
    return outcome
  })

/** Refuses data that nobody asked for. */
const requireAsked = (
  { actionClass }: RunApproval,
  decision: PermissionDecision["decision"]
): Effect.Effect<void, ResponseNotAsked> => {
  const refused = (message: string) => new ResponseNotAsked({ issues: [{ path: "responseData", message }] })
  if (actionClass !== "elicitation") return refused("Expected none: this approval asks for yes or no alone")
  return decision === "approved" ? Effect.void : refused("Expected none with a decision that rejects")
}
