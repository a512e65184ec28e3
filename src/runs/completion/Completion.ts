import { Schema } from "effect"
import { lookedUp } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue } from "../../kernel/Text.ts"
import { AttemptIdParam } from "../attempts/Params.ts"
import { type Claims, claimFields } from "../documents/Claims.ts"
import { CompletionResult } from "../documents/CompletionResult.ts"
import { CompletionStatus } from "../documents/Policies.ts"

/**
 * The body of a completion: which attempt, by the manifest that it was launched with, and what its agent claims. How it
 * ended stands in `success` or in `status`, and not differently in both.
 */
export const CompletionCall = Schema.Struct({
  attemptId: AttemptIdParam,
  providerRuntimeManifestDigest: Schema.String.pipe(
    Schema.maxLength(200, { message: () => "Expected at most 200 characters" }),
    lookedUp
  ),
  success: optional(Schema.Boolean),
  status: optional(CompletionStatus),
  ...claimFields
})
  .pipe(
    Schema.filter(({ status, success }) => {
      if (status === undefined) {
        return success === undefined
          ? { path: ["success"], message: "Expected success, or an explicit status" }
          : undefined
      }
      return success === undefined || success === (status === "success")
        ? undefined
        : { path: ["success"], message: "Expected no other end than status says" }
    })
  )
  .annotations({ identifier: "CompletionCall", ...everyIssue })
export type CompletionCall = typeof CompletionCall.Type

/** What the body of a completion claims. A plain failure is `success: false`. */
export const claimsOf = ({
  attemptId: _,
  providerRuntimeManifestDigest: _digest,
  status,
  success,
  ...claims
}: CompletionCall): Claims => ({ status: status ?? (success === true ? "success" : "failed"), ...claims })

/** A gate that kept the task from being done; the result stands. */
const Gate = Schema.Struct({
  code: Schema.String,
  details: Schema.Record({ key: Schema.String, value: Schema.Unknown })
}).annotations({ identifier: "CompletionGate" })

/** The end of an attempt: its result, the status that its task has now, and the gate that refused it, if one did. */
export const Completed = Schema.Struct({
  taskId: Schema.String,
  attemptId: Schema.String,
  status: CompletionStatus,
  completionResult: CompletionResult,
  taskStatus: Schema.NullOr(Schema.String),
  gate: optional(Gate)
}).annotations({ identifier: "AttemptCompleted" })
export type Completed = typeof Completed.Type
