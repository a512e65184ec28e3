import { Schema } from "effect"
import * as Envelope from "../../kernel/Envelope.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { secretFreeJson } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, integer, text } from "../../kernel/Text.ts"
import * as Errors from "./Errors.ts"
import { Answer } from "./RunApproval.ts"

/** The largest response to an elicitation, in characters of JSON. */
const responseLimit = 16_384

/** What an elicitation asked for: the fields of its form. */
const ResponseData = Schema.Record({ key: Schema.String, value: Schema.Unknown })
  .pipe(
    Schema.filter((data) => JSON.stringify(data).length <= responseLimit, {
      message: () => `Expected a JSON object of at most ${responseLimit} characters`
    })
  )
  .annotations({
    description: "The fields that an elicitation asks for, as a JSON object; with approved alone"
  })

const answer = {
  decision: Answer,
  note: optional(text(2_000)).annotations({
    description: "What whoever decides has to say about it, up to 2,000 characters; a blank one is none"
  })
}

/** The body of a decision: what was answered, and what whoever answers had before them. */
export const ApprovalDecision = Schema.Struct({
  ...answer,
  expectedRevision: integer(0, Number.MAX_SAFE_INTEGER),
  expectedActionHash: IdParam.annotations({
    description: "The `actionHash` of what whoever decides has seen"
  }),
  responseData: optional(secretFreeJson(ResponseData))
}).annotations({ identifier: "ApprovalDecision", ...everyIssue })
export type ApprovalDecision = typeof ApprovalDecision.Type

/** The body of a decision at the other door, which asks for nothing that was seen. */
export const PermissionDecision = Schema.Struct(answer).annotations({
  identifier: "PermissionDecision",
  ...everyIssue
})
export type PermissionDecision = typeof PermissionDecision.Type

export const ApprovalNotFound = Envelope.general(Errors.ApprovalNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Approval ${error.approvalId} does not exist`
})

const settledAs = {
  pending: "still waits",
  approved: "was approved already",
  rejected: "was rejected already",
  expired: "expired before anybody decided",
  cancelled: "was cancelled, because its run ended"
}

export const ApprovalSettled = Envelope.general(Errors.ApprovalSettled, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The approval ${settledAs[error.status]}: it stays ${error.status}`
})

export const AskerGone = Envelope.general(Errors.AskerGone, {
  status: 409,
  code: "CONFLICT",
  message: () => "The run that asked is over: the approval is cancelled"
})

export const ActionChanged = Envelope.general(Errors.ActionChanged, {
  status: 409,
  code: "CONFLICT",
  message: () =>
    "The run asks for another action than the expected one: read the approval again before you decide"
})

export const ResponseNotAsked = Envelope.general(Errors.ResponseNotAsked, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})

export const NotMobileSafe = Envelope.general(Errors.NotMobileSafe, {
  status: 403,
  code: "PERMISSION_DENIED",
  message: () => "This approval is not one to decide on a phone: decide it on a computer"
})
