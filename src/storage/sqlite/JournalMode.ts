import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import type { FilesystemPosture } from "./FileSystemKind.ts"

/** How SQLite keeps a transaction apart from the database until it is committed, as an operator can choose it. */
export const JournalMode = Schema.Literal("wal", "delete")
export type JournalMode = typeof JournalMode.Type

/** What the environment says about where the server runs (`SERVICE_SQLITE_TOPOLOGY`, `SERVICE_SQLITE_HOST_ID`). */
export interface SqliteEnvironment {
  readonly topology?: "single-host" | "multi-host"
  readonly hostId?: string
}

/** A person's word over the journal mode, bound to a host and a time. Times are milliseconds since the epoch. */
export const JournalOverride = Schema.Struct({
  mode: JournalMode,
  reason: Schema.String,
  expiresAt: Schema.Int,
  /** The digest of the host's id: an override does not move to another machine. */
  hostDigest: Schema.String,
  operationId: Schema.String,
  grantedBy: Schema.String,
  revokedAt: optional(Schema.Int)
})
export type JournalOverride = typeof JournalOverride.Type

/** What became of a journal operation. */
const OperationState = Schema.Literal("scheduled", "applied", "refused", "failed", "expired")
export type OperationState = typeof OperationState.Type

/** Why a change of the journal mode, or an override, does not hold. */
const ReasonCode = Schema.Literal(
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
  "mode-not-taken"
)
export type ReasonCode = typeof ReasonCode.Type

/** A change of the journal mode that somebody scheduled for the next start. */
export const JournalOperation = Schema.Struct({
  id: Schema.String,
  targetMode: JournalMode,
  fromMode: Schema.String,
  state: OperationState,
  reasonCodes: Schema.Array(ReasonCode),
  requestedBy: Schema.String,
  requestedAt: Schema.Int,
  override: optional(JournalOverride),
  settledAt: optional(Schema.Int),
  resultMode: optional(Schema.String)
})
export type JournalOperation = typeof JournalOperation.Type

/** What a file system gets without an override: WAL where its shared memory can be trusted. */
export const defaultMode = (posture: FilesystemPosture): JournalMode =>
  posture === "supported-local" ? "wal" : "delete"

/** Whether a mode needs a person's word: delete always, WAL where it is not the default. */
export const needsOverride = (mode: JournalMode, posture: FilesystemPosture): boolean =>
  mode === "delete" || mode !== defaultMode(posture)

/** What speaks against this machine and its environment, whatever the mode. */
export const environmentFaults = (
  environment: SqliteEnvironment,
  posture: FilesystemPosture
): ReadonlyArray<ReasonCode> => [
  ...(posture === "known-unsafe" ? ["filesystem-known-unsafe" as const] : []),
  ...(environment.topology === "single-host" ? [] : ["topology-not-single-host" as const]),
  ...(environment.hostId === undefined ? ["host-id-missing" as const] : [])
]

/** What a start finds. `hostDigest` is the digest of this host's id. */
export interface Found {
  readonly posture: FilesystemPosture
  readonly environment: SqliteEnvironment
  readonly hostDigest: string | undefined
  readonly operation: JournalOperation | undefined
  readonly override: JournalOverride | undefined
  readonly at: number
}

/** Why an override is not in force; undefined when it is. */
export const lapseOf = (
  override: JournalOverride,
  { at, environment, hostDigest, posture }: Omit<Found, "operation" | "override">
): ReasonCode | undefined => {
  if (override.revokedAt !== undefined) return "revoked"
  if (override.expiresAt <= at) return "expired"
  const [fault] = environmentFaults(environment, posture)
  if (fault !== undefined) return fault
  return override.hostDigest === hostDigest ? undefined : "host-id-changed"
}

/** What a start does about the journal mode. */
export interface Decision {
  readonly mode: JournalMode
  readonly decisionSource: "filesystem-policy" | "override"
  /** The operation, settled as far as it can be before SQLite was asked; absent when none was scheduled. */
  readonly operation: JournalOperation | undefined
  /** The override that stands from now on, whether or not it is in force. */
  readonly override: JournalOverride | undefined
}

/** Decides at a start: the scheduled operation first, then the standing override, then the file system. */
export const decide = (found: Found): Decision => {
  const { at, operation, override, posture } = found
  const asBefore = (settled: JournalOperation | undefined): Decision => {
    const inForce = override !== undefined && lapseOf(override, found) === undefined
    return {
      mode: inForce ? override.mode : defaultMode(posture),
      decisionSource: inForce ? "override" : "filesystem-policy",
      operation: settled,
      override
    }
  }
  if (operation === undefined) return asBefore(undefined)
  const lapse =
    operation.override !== undefined
      ? lapseOf(operation.override, found)
      : needsOverride(operation.targetMode, posture)
        ? "filesystem-changed"
        : undefined
  if (lapse !== undefined) {
    const state = lapse === "expired" ? "expired" : "refused"
    return asBefore({ ...operation, state, reasonCodes: [lapse], settledAt: at })
  }
  return {
    mode: operation.targetMode,
    decisionSource: operation.override === undefined ? "filesystem-policy" : "override",
    operation: { ...operation, state: "applied", settledAt: at },
    override: operation.override
  }
}

/** The operation after SQLite was asked: it is applied when SQLite took its mode. */
export const settled = (operation: JournalOperation, resultMode: string): JournalOperation =>
  operation.state !== "applied" || resultMode === operation.targetMode
    ? { ...operation, resultMode }
    : { ...operation, state: "failed", reasonCodes: ["mode-not-taken"], resultMode }
