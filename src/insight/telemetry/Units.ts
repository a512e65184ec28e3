export { lastRunStarted, record } from "./TelemetryRecord.ts"

/**
 * What the two events of an attempt are known by, whoever reports them: the run itself, or the status of its task
 * (ruling 79). So each attempt has one of each.
 */
export const attemptIdentity = (taskId: string, attemptId: string, event: "started" | "completed"): string =>
  `${taskId}:${attemptId}:${event}`
