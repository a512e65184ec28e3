import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Clock, Effect, Option } from "effect"
import { Client } from "../../../client/Client.ts"
import { RunApprovalsApi } from "../../../governance/approvals/Api.ts"
import { type Answer, ApprovalStatus } from "../../../governance/approvals/RunApproval.ts"
import { IdParam } from "../../../kernel/IdParam.ts"
import { text } from "../../../kernel/Text.ts"
import { ask } from "../../Answer.ts"
import { argumentOf, json, limitUpTo, optionOf } from "../../Parts.ts"
import { approvalList, decidedText } from "../../text/ApprovalText.ts"

/*
 * What runs wait for a person for: list, approve, reject.
 */

const listOptions = {
  status: Options.text("status").pipe(
    Options.withPseudoName("STATUS"),
    optionOf("--status", ApprovalStatus),
    Options.withDescription(`Those in this state, ${ApprovalStatus.literals.join(", ")}; pending without it`),
    Options.withDefault("pending" as const)
  ),
  task: Options.text("task").pipe(
    Options.withPseudoName("ID"),
    optionOf("--task", IdParam),
    Options.withDescription("Those of this task alone"),
    Options.optional
  ),
  limit: limitUpTo(1_000, "At most this many, 1 to 1000; 20 without it").pipe(Options.withDefault(20)),
  json
}

const approvalId = Args.text({ name: "APPROVAL" }).pipe(
  argumentOf("APPROVAL", IdParam),
  Args.withDescription("The whole id of an approval")
)

const note = Options.text("note").pipe(
  Options.withPseudoName("TEXT"),
  optionOf("--note", text(2_000)),
  Options.withDescription("What you have to say about it; it is kept with the decision"),
  Options.optional
)

/** Decides what is asked for by now: what is shown of it is what is decided, or nothing is. */
const decide = (approvalId: string, decision: Answer, note: Option.Option<string>) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    const path = { approvalId }
    const seen = yield* call(RunApprovalsApi, ({ runApprovals }) => runApprovals.get({ path }))
    const decided = yield* call(RunApprovalsApi, ({ runApprovals }) =>
      runApprovals.decide({
        path,
        payload: {
          decision,
          expectedRevision: seen.revision,
          expectedActionHash: seen.actionHash,
          ...(Option.isNone(note) ? {} : { note: note.value })
        }
      })
    )
    return {
      json: decided,
      text: (paint: Parameters<typeof decidedText>[1]) => decidedText(decided, paint)
    }
  })

const approve = Command.make("approve", { approvalId, note, json }, (given) =>
  ask(given.json, decide(given.approvalId, "approved", given.note))
).pipe(Command.withDescription("Let a run do what it asks for, once."))

const reject = Command.make("reject", { approvalId, note, json }, (given) =>
  ask(given.json, decide(given.approvalId, "rejected", given.note))
).pipe(Command.withDescription("Refuse a run what it asks for."))

export const approvals = Command.make("approvals", listOptions, ({ json, limit, status, task }) =>
  ask(
    json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const urlParams = { status, limit, ...(Option.isNone(task) ? {} : { taskId: task.value }) }
      const found = yield* call(RunApprovalsApi, ({ runApprovals }) => runApprovals.list({ urlParams }))
      const at = yield* Clock.currentTimeMillis
      return { json: found, text: (paint) => approvalList(found, status, at, paint) }
    })
  )
).pipe(Command.withSubcommands([approve, reject]))
