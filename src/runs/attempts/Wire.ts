import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const AttemptNotFound = Envelope.general(Errors.AttemptNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: ({ attemptId }) => `Attempt ${attemptId} does not exist`
})

const reasons: Readonly<Record<Errors.AttemptMismatch["reason"], (attemptId: string) => string>> = {
  "another-task": (id) => `Attempt ${id} is not an attempt of this task`,
  "not-running": (id) => `Attempt ${id} waits for room and does not run yet`,
  ended: (id) => `Attempt ${id} is over: nothing more is taken from it`,
  altered: (id) => `What attempt ${id} was launched with is not what is stored: it is no longer acted on`,
  "another-manifest": (id) => `Attempt ${id} was launched with another provider runtime manifest`,
  "another-finding": (id) => `The finding is not about attempt ${id}`
}

export const AttemptMismatch = Envelope.general(Errors.AttemptMismatch, {
  status: 409,
  code: "CONFLICT",
  message: ({ activeAttemptId, attemptId, reason }) =>
    activeAttemptId === null || activeAttemptId === attemptId
      ? reasons[reason](attemptId)
      : `${reasons[reason](attemptId)}; attempt ${activeAttemptId} is active`
})
