import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

const conflict = { status: 409, code: "CONFLICT" } as const
const missing = { status: 404, code: "NOT_FOUND" } as const

export const AgentUnknown = Envelope.general(Errors.AgentUnknown, {
  ...missing,
  message: ({ agent }) => `No agent ${agent} is configured or registered`
})

export const ProfileUnknown = Envelope.general(Errors.ProfileUnknown, {
  ...missing,
  message: ({ profileId }) => `Profile ${profileId} does not exist`
})

export const ParentUnknown = Envelope.general(Errors.ParentUnknown, {
  ...missing,
  message: ({ parentAttemptId }) => `Attempt ${parentAttemptId} does not exist`
})

export const ParentActive = Envelope.general(Errors.ParentActive, {
  ...conflict,
  message: ({ parentAttemptId }) => `Attempt ${parentAttemptId} of this task is not over yet`
})

export const AttemptActive = Envelope.general(Errors.AttemptActive, {
  ...conflict,
  message: ({ attemptId, taskId }) =>
    `Attempt ${attemptId} is active on task ${taskId}: a task has one at a time`
})

export const LaunchKeyReused = Envelope.general(Errors.LaunchKeyReused, {
  ...conflict,
  message: () => "This idempotency key was used for a start with another body: choose a new one"
})

export const LaunchRefused = Envelope.general(Errors.LaunchRefused, {
  ...conflict,
  message: ({ blockers, remediation }) =>
    `${blockers[0]?.message ?? "This can't be launched"}. ${remediation}`
})
