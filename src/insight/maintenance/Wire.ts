import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"
import type { JournalReason } from "./SqliteStorage.ts"

export const JournalRequestInvalid = Envelope.general(Errors.JournalRequestInvalid, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})

/** What to do about each reason that refuses a change here or now. */
const remedies: Partial<Record<JournalReason, string>> = {
  "topology-not-single-host": "start the server with SERVICE_SQLITE_TOPOLOGY=single-host",
  "host-id-missing": "start the server with SERVICE_SQLITE_HOST_ID set to a name that this machine keeps",
  "filesystem-known-unsafe": "move the database to a disk of this machine: nothing overrides this",
  "in-memory-database": "a database in memory has no journal mode to change",
  "operation-scheduled": "another change waits for the next start: restart the server first",
  "preview-token-wrong": "send the previewToken that the preview answered",
  "preview-used": "a preview can be applied once: make a new one",
  "preview-expired": "a preview lasts 10 minutes: make a new one",
  expired: "the override would have expired: make a new preview"
}

export const JournalChangeRefused = Envelope.general(Errors.JournalChangeRefused, {
  status: 409,
  code: "CONFLICT",
  message: ({ reasonCodes }) =>
    `The journal mode can't be changed: ${reasonCodes.map((code) => remedies[code] ?? code).join("; ")}`
})

export const JournalPreviewNotFound = Envelope.general(Errors.JournalPreviewNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: () => "There is no such preview, or it has expired: make a new one"
})

export const JournalOperationNotFound = Envelope.general(Errors.JournalOperationNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Journal operation ${error.operationId} does not exist`
})

export const JournalOverrideNotFound = Envelope.general(Errors.JournalOverrideNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: () => "There is no override of the journal mode to revoke"
})

export const BackupUnderWay = Envelope.general(Errors.BackupUnderWay, {
  status: 409,
  code: "CONFLICT",
  message: () => "Another backup is being taken: wait for it"
})

export const BackupFailed = Envelope.general(Errors.BackupFailed, {
  status: 503,
  code: "STORAGE_UNAVAILABLE",
  message: () =>
    "The board could not be copied. The data directory needs as much free space as the database and its blobs take; the log of the server tells more"
})
