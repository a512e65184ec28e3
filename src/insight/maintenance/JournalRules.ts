import { iso } from "../../kernel/Time.ts"
import type { DatabasePosture } from "../../storage/Storage.ts"
import {
  decide,
  environmentFaults,
  type JournalOperation,
  type JournalOverride,
  lapseOf,
  needsOverride,
  type ReasonCode
} from "../../storage/sqlite/JournalMode.ts"
import { hostDigestOf } from "../../storage/sqlite/Opening.ts"
import type { JournalOperationReport, JournalPreviewRequest } from "./JournalRequest.ts"
import { journalModeOf } from "./Posture.ts"

/** How far ahead an override may reach. */
export const longestOverrideDays = 30

const longestOverrideMs = longestOverrideDays * 86_400_000

/** What a start would find at this time. */
const foundAt = (
  posture: DatabasePosture,
  at: number,
  operation?: JournalOperation,
  override?: JournalOverride
) => ({
  posture: posture.filesystemPosture,
  environment: posture.environment,
  hostDigest: hostDigestOf(posture.environment),
  operation,
  override,
  at
})

/** A fault of a body: which field, which reason, and what it must be. */
export interface Fault {
  readonly path: string
  readonly reasonCode: ReasonCode
  readonly message: string
}

/** What is wrong with a preview that needs an override: acknowledgement, reason, and a bounded time in the future. */
export const bodyFaults = (
  { expiresAt, overrideReason, singleHost }: JournalPreviewRequest,
  at: number
): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  if (singleHost !== true) {
    faults.push({
      path: "singleHost",
      reasonCode: "single-host-not-acknowledged",
      message: "Expected true: only one machine may work on the database in this mode"
    })
  }
  if (overrideReason === undefined) {
    faults.push({ path: "overrideReason", reasonCode: "reason-missing", message: "Expected a reason" })
  }
  const expiry = (reasonCode: ReasonCode) =>
    faults.push({
      path: "expiresAt",
      reasonCode,
      message: `Expected a time in the future, at most ${longestOverrideDays} days ahead`
    })
  if (expiresAt === undefined) expiry("expiry-missing")
  else if (expiresAt <= at) expiry("expiry-not-in-the-future")
  else if (expiresAt > at + longestOverrideMs) expiry("expiry-too-far")
  return faults
}

/** Whether a change to this mode needs an override on this file system. */
export const overrideNeeded = (request: JournalPreviewRequest, posture: DatabasePosture): boolean =>
  posture.filename !== undefined && needsOverride(request.targetMode, posture.filesystemPosture)

/** What speaks against a change here, whatever its body says. */
export const placeFaults = (
  posture: DatabasePosture,
  needsAnOverride: boolean
): ReadonlyArray<ReasonCode> => {
  if (posture.filename === undefined) return ["in-memory-database"]
  if (needsAnOverride) return environmentFaults(posture.environment, posture.filesystemPosture)
  return posture.filesystemPosture === "known-unsafe" ? ["filesystem-known-unsafe"] : []
}

/** What an operator takes upon himself with a mode. */
export const risksOf = (
  mode: JournalOperation["targetMode"],
  posture: DatabasePosture
): ReadonlyArray<string> => [
  "The server must be restarted; until then nothing changes.",
  ...(mode === "delete"
    ? ["Every commit writes the pages twice and waits for the disk more often: writes become slower."]
    : posture.filesystemPosture === "supported-local"
      ? []
      : [
          "WAL needs memory that processes share. Nobody knows whether this file system keeps it; take a backup first."
        ])
]

/** An operation as it is reported at a time. One whose override has expired can't be applied any more. */
export const operationReport = (operation: JournalOperation, at: number): JournalOperationReport => {
  const { override, requestedAt, resultMode, settledAt, ...rest } = operation
  const overdue = rest.state === "scheduled" && override !== undefined && override.expiresAt <= at
  const state = overdue ? "expired" : rest.state
  return {
    id: rest.id,
    state,
    targetMode: rest.targetMode,
    fromMode: rest.fromMode,
    ...(resultMode === undefined ? {} : { resultMode }),
    reasonCodes: overdue ? ["expired"] : rest.reasonCodes,
    requestedBy: rest.requestedBy,
    requestedAt: iso(requestedAt),
    ...(settledAt === undefined ? {} : { settledAt: iso(settledAt) }),
    ...(override === undefined
      ? {}
      : { overrideReason: override.reason, overrideExpiresAt: iso(override.expiresAt) }),
    restartRequired: state === "scheduled"
  }
}

/** Whether a start would do something about the journal mode now. */
export const restartRequired = (
  posture: DatabasePosture,
  scheduled: JournalOperation | undefined,
  override: JournalOverride | undefined,
  at: number
): boolean => {
  if (posture.filename === undefined) return false
  const found = foundAt(posture, at, scheduled, override)
  const lapsed =
    posture.decision.decisionSource === "override" &&
    (override === undefined || lapseOf(override, found) !== undefined)
  return scheduled !== undefined || lapsed || decide(found).mode !== journalModeOf(posture)
}
