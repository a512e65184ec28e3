import { Schema } from "effect"
import { TaskIdParam } from "../../board/tasks/Task.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { kept, lookedUp, secretFree } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { sanitizeText } from "../../kernel/Sanitize.ts"
import { everyIssue, isClean, nonBlank, text } from "../../kernel/Text.ts"

/** Text from elsewhere: it loses what could run and what is secret, and something must be left of it. */
const sanitized = <I, R>(schema: Schema.Schema<string, I, R>) =>
  Schema.compose(
    secretFree(
      Schema.transform(schema, Schema.String, { strict: true, decode: sanitizeText, encode: (said) => said })
    ),
    Schema.String.pipe(
      Schema.filter((said) => said.trim() !== "", { message: () => "Expected text that is not blank" }),
      Schema.filter(isClean)
    )
  )

/** What an id elsewhere looks like: whatever it is, it is kept and compared as it is. */
const ExternalId = nonBlank(
  200,
  kept("It tells two messages from elsewhere apart: two that differ have to stay two.")
)

/**
 * The body of a reply (spec 2-relay, Reply ingest body): what somebody said elsewhere about a message of the squad chat.
 * `approvalId` says that it is about an approval too.
 */
export const Reply = Schema.Struct({
  externalThreadId: ExternalId,
  externalReplyId: ExternalId,
  actor: nonBlank(200),
  displayName: sanitized(nonBlank(200)),
  message: sanitized(text(10_000)),
  target: Schema.Struct({
    kind: Schema.Literal("squad"),
    squadMessageId: IdParam,
    taskId: optional(TaskIdParam),
    approvalId: optional(nonBlank(200, lookedUp))
  })
}).annotations({ identifier: "AdapterReply", ...everyIssue })
export type Reply = typeof Reply.Type
