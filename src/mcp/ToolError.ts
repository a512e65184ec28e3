import { type Failure, tell } from "../client/Failure.ts"
import { oneLine } from "../kernel/Foreign.ts"
import { redactText } from "../kernel/Redaction.ts"

/** The longest text of an error, in characters. */
const limit = 4_000

/** What a model can do about a refusal, in terms of its tools. */
const remedies: Readonly<Record<string, string>> = {
  REVIEW_GATE_FAILED: "Set the scores with update_task {reviewScores}, then try again.",
  CLOSING_COMMENT_REQUIRED: "Say what was done with add_comment, then try again.",
  CEREMONY_REQUIRED: "A person or another agent must complete the ceremony first.",
  UNAUTHORIZED: "Set SERVICE_API_KEY to a key of an agent in the configuration of this tool server.",
  PERMISSION_DENIED: "The key of this tool server may not do this. Leave it to a person.",
  NOT_FOUND: "Find the id with list_tasks.",
  RATE_LIMITED: "Wait a little, then try again."
}

const unreachable =
  "Start the server with npm start in its directory, or set SERVICE_API_URL to its address in the configuration of this tool server; then call again."

/** A failure as the model reads it: what happened, what is wrong, and what to do. It never holds a stack or a key. */
export const errorText = (failure: Failure): string => {
  const { facts, happened, remedy } = tell(failure)
  const advice =
    failure._tag === "Unreachable"
      ? unreachable
      : failure._tag === "Refused"
        ? (remedies[failure.code] ?? remedy)
        : remedy
  const text = [
    oneLine(happened),
    ...facts.map((fact) => `- ${oneLine(fact)}`),
    ...(advice === undefined ? [] : [oneLine(advice)])
  ].join("\n")
  return redactText(text).slice(0, limit).toWellFormed()
}
