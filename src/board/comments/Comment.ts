import { Schema } from "effect"
import { everyIssue, integer, nonBlank } from "../../kernel/Text.ts"

const text = nonBlank(20_000)

/** The body of a new comment. */
export const CommentDraft = Schema.Struct({ text }).annotations({ identifier: "CommentDraft", ...everyIssue })

/** The body of an edit; `revision` is the comment's own, when the edit must not overwrite a newer one. */
export const CommentEdit = Schema.Struct({
  text,
  revision: Schema.optionalWith(integer(1, Number.MAX_SAFE_INTEGER), { exact: true })
}).annotations({ identifier: "CommentEdit", ...everyIssue })
