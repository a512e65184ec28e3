import { iso } from "../../kernel/Time.ts"
import type { Finding } from "../../storage/place/Damage.ts"
import type { DatabasePosture } from "../../storage/Storage.ts"
import { type JournalOverride, lapseOf } from "../../storage/sqlite/JournalMode.ts"
import { hostDigestOf } from "../../storage/sqlite/Opening.ts"
import type { IntegrityCheck, JournalOverrideReport, SqliteStorage } from "./SqliteStorage.ts"

/** What a start says of the journal mode that it found; an unsafe file system is refused before it gets one. */
export const journalModeOf = ({
  filesystemPosture,
  journalMode
}: Pick<DatabasePosture, "filesystemPosture" | "journalMode">): SqliteStorage["journalMode"] => {
  if (filesystemPosture === "known-unsafe") return "refused"
  return journalMode === "wal" || journalMode === "delete" || journalMode === "memory"
    ? journalMode
    : "unknown"
}

const lockingPostures: Record<DatabasePosture["filesystemPosture"], SqliteStorage["lockingPosture"]> = {
  "supported-local": "trusted",
  "known-unsafe": "unverified",
  unknown: "unverified",
  "not-applicable": "not-applicable"
}

const healthPostureOf = (
  posture: DatabasePosture,
  check: IntegrityCheck | undefined,
  damage: Finding | undefined
): SqliteStorage["healthPosture"] => {
  if (damage !== undefined || check?.result === "damaged" || posture.filesystemPosture === "known-unsafe")
    return "unhealthy"
  const modeTaken = posture.filename === undefined || posture.journalMode === posture.decision.mode
  return posture.filesystemPosture === "unknown" || check?.result === "failed" || !modeTaken
    ? "attention"
    : "healthy"
}

/** An override as it stands at a time. One that is revoked or has expired keeps its mode until the next start. */
export const overrideReport = (
  override: JournalOverride,
  posture: DatabasePosture,
  at: number
): JournalOverrideReport => {
  const { environment, filesystemPosture } = posture
  const lapse = lapseOf(override, {
    at,
    environment,
    hostDigest: hostDigestOf(environment),
    posture: filesystemPosture
  })
  return {
    mode: override.mode,
    inForce: lapse === undefined,
    ...(lapse === undefined ? {} : { lapse }),
    reason: override.reason,
    expiresAt: iso(override.expiresAt),
    ...(override.revokedAt === undefined ? {} : { revokedAt: iso(override.revokedAt) }),
    grantedBy: override.grantedBy,
    operationId: override.operationId
  }
}

/** The report of `GET /health/deep`. */
export const reportOf = (
  posture: DatabasePosture,
  override: JournalOverride | undefined,
  check: IntegrityCheck | undefined,
  damage: Finding | undefined,
  at: number
): SqliteStorage => {
  const inMemory = posture.filename === undefined
  const decisionSource = inMemory ? "in-memory" : posture.decision.decisionSource
  return {
    schemaVersion: "sqlite-storage/v1",
    databaseLocation: posture.databaseLocation,
    platform: posture.platform,
    filesystemType: posture.filesystemType,
    filesystemPosture: posture.filesystemPosture,
    detectionSource: posture.detectionSource,
    reasonCode: posture.reasonCode,
    journalMode: journalModeOf(posture),
    decisionSource,
    overrideSource: decisionSource === "override" ? "maintenance-operation" : "none",
    healthPosture: healthPostureOf(posture, check, damage),
    lockingPosture: lockingPostures[posture.filesystemPosture],
    ...(override === undefined ? {} : { override: overrideReport(override, posture, at) }),
    ...(check === undefined ? {} : { lastIntegrityCheck: check }),
    ...(damage === undefined ? {} : { damage })
  }
}
