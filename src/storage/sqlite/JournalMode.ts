import type { FilesystemPosture } from "./FileSystemKind.ts"

/** How SQLite keeps a transaction apart from the database until it is committed, as an operator can choose it. */
export type JournalMode = "wal" | "delete"

/** What the environment says about where the server runs (`SERVICE_SQLITE_TOPOLOGY`, `SERVICE_SQLITE_HOST_ID`). */
export interface SqliteEnvironment {
  readonly topology?: "single-host" | "multi-host"
  readonly hostId?: string
}

/** A person's word over the journal mode, bound to a host and a time. Times are milliseconds since the epoch. */
export interface JournalOverride {
  readonly mode: JournalMode
  readonly reason: string
  readonly expiresAt: number
  /** The digest of the host's id: an override does not move to another machine. */
  readonly hostDigest: string
  readonly operationId: string
  readonly grantedBy: string
  readonly revokedAt?: number
}

/** What became of a journal operation. */
export type OperationState = "scheduled" | "applied" | "refused" | "failed" | "expired"

/** A change of the journal mode that somebody scheduled for the next start. */
export interface JournalOperation {
  readonly id: string
  readonly targetMode: JournalMode
  readonly fromMode: string
  readonly state: OperationState
  readonly reasonCodes: ReadonlyArray<ReasonCode>
  readonly requestedBy: string
  readonly requestedAt: number
  readonly override?: JournalOverride
  readonly settledAt?: number
  readonly resultMode?: string
}

/** Why a change of the journal mode, or an override, does not hold. */
export type ReasonCode =
  | "single-host-not-acknowledged"
  | "reason-missing"
  | "expiry-missing"
  | "expiry-not-in-the-future"
  | "expiry-too-far"
  | "topology-not-single-host"
  | "host-id-missing"
  | "host-id-changed"
  | "filesystem-known-unsafe"
  | "filesystem-changed"
  | "in-memory-database"
  | "expired"
  | "revoked"
  | "mode-not-taken"

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
