import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { Timestamp } from "../../kernel/Time.ts"

/** Why a change of the journal mode, or an override of it, does not hold. */
export const JournalReason = Schema.Literal(
  "single-host-not-acknowledged",
  "reason-missing",
  "expiry-missing",
  "expiry-not-in-the-future",
  "expiry-too-far",
  "topology-not-single-host",
  "host-id-missing",
  "host-id-changed",
  "filesystem-known-unsafe",
  "filesystem-changed",
  "in-memory-database",
  "expired",
  "revoked",
  "mode-not-taken",
  "operation-scheduled",
  "preview-token-wrong",
  "preview-used",
  "preview-expired"
).annotations({ identifier: "JournalReason" })
export type JournalReason = typeof JournalReason.Type

export const JournalMode = Schema.Literal("wal", "delete").annotations({ identifier: "JournalMode" })

/** An operator's word over the journal mode. `lapse` says why it is not in force, when it is not. */
export const JournalOverrideReport = Schema.Struct({
  mode: JournalMode,
  inForce: Schema.Boolean,
  lapse: optional(JournalReason),
  reason: Schema.String,
  expiresAt: Timestamp,
  revokedAt: optional(Timestamp),
  grantedBy: Schema.String,
  operationId: Schema.String
}).annotations({ identifier: "JournalOverrideReport" })
export type JournalOverrideReport = typeof JournalOverrideReport.Type

/** What the last check of the database found. */
export const IntegrityCheck = Schema.Struct({
  checkedAt: Timestamp,
  result: Schema.Literal("ok", "damaged", "failed"),
  durationMs: Schema.Int
}).annotations({
  identifier: "IntegrityCheck",
  description: "`damaged`: the pages contradict one another. `failed`: the check could not be made."
})
export type IntegrityCheck = typeof IntegrityCheck.Type

/** How the database is stored (spec 1-core, Health; decision Q60). It never shows where. */
export const SqliteStorage = Schema.Struct({
  schemaVersion: Schema.Literal("sqlite-storage/v1"),
  databaseLocation: Schema.Literal("memory", "configured", "runtime-default"),
  platform: Schema.String,
  filesystemType: Schema.String,
  filesystemPosture: Schema.Literal("supported-local", "known-unsafe", "unknown", "not-applicable"),
  detectionSource: Schema.Literal("proc-mountinfo", "statfs", "mount-command", "unc-path", "none"),
  reasonCode: Schema.Literal(
    "local-filesystem",
    "network-filesystem",
    "shared-folder",
    "unrecognized-filesystem",
    "not-detected",
    "in-memory-database"
  ),
  journalMode: Schema.Literal("wal", "delete", "memory", "refused", "unknown"),
  decisionSource: Schema.Literal("filesystem-policy", "override", "in-memory"),
  overrideSource: Schema.Literal("none", "maintenance-operation"),
  healthPosture: Schema.Literal("healthy", "attention", "unhealthy"),
  lockingPosture: Schema.Literal("trusted", "unverified", "not-applicable"),
  override: optional(JournalOverrideReport),
  lastIntegrityCheck: optional(IntegrityCheck),
  damage: optional(Schema.Literal("corrupt", "not-a-database", "gone", "cut-off", "replaced")).annotations({
    description:
      "What is wrong with the database; absent while nothing is. `corrupt`: its pages contradict one another, `not-a-database`: it is overwritten, `gone`, `cut-off` and `replaced`: its file is not the one that was opened. Nothing is written into it until the next start"
  })
}).annotations({ identifier: "SqliteStorage" })
export type SqliteStorage = typeof SqliteStorage.Type
