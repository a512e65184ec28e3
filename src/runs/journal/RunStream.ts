import { iso } from "../../kernel/Time.ts"
import type { Entry } from "../../storage/Log.ts"

/** Whose the events of a journal are, and where they come from. */
export interface Journal {
  readonly attemptId: string
  readonly taskId: string
  readonly runId: string
  readonly provider: string
  readonly adapter: string
  readonly sessionId: string | null
}

/**
 * Spells out the events of a journal as JSON. A page is hundreds of them and is read again and again, so what is stored
 * goes into it as it stands.
 */
export const spelling = ({ adapter, attemptId, provider, runId, taskId }: Journal) => {
  const head = JSON.stringify({
    schemaVersion: "run-event/v1",
    taskId,
    runId,
    attemptId,
    source: { provider, adapter }
  }).slice(0, -1)
  const prefix = JSON.stringify(attemptId).slice(0, -1)
  return ({ at, kind, payload, sequence }: Entry): string =>
    `${head},"eventId":${prefix}:${sequence}","sequence":${sequence},"receivedAt":"${iso(at)}","kind":${JSON.stringify(kind)},${payload.slice(1)}`
}

/** The stream of the log that holds the events of an attempt. */
export const streamOf = (attemptId: string) => ({ resource: "attempt", resourceId: attemptId })
