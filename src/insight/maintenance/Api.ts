import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { ExplicitCredential } from "../../kernel/ExplicitCredential.ts"
import { withOwnCredential } from "../../kernel/RouteGuard.ts"
import {
  JournalApply,
  JournalOperationReport,
  JournalPreview,
  JournalPreviewRequest,
  JournalStatus,
  OperationId
} from "./JournalRequest.ts"
import * as Wire from "./Wire.ts"

/** What an apply answers. */
const Scheduled = JournalOperationReport.annotations({
  identifier: "JournalOperationReport",
  ...HttpApiSchema.annotations({ status: 202 })
})

/** A database file. */
const DatabaseFile = HttpApiSchema.Uint8Array({ contentType: "application/vnd.sqlite3" })

export const MaintenanceApi = HttpApiGroup.make("maintenance")
  .add(
    HttpApiEndpoint.post("backup", "/maintenance/backup")
      .addSuccess(DatabaseFile)
      .addError(Wire.BackupUnderWay)
      .addError(Wire.BackupFailed)
      .annotate(Requires, "backup:write")
      .annotate(
        OpenApi.Description,
        "A copy of the whole board as one SQLite file, consistent as of the end of the copying; reads and writes go on meanwhile. `muster backup FILE` saves it and `muster restore FILE` brings it back. The generated keys of the data directory are not in it: a backup holds hashes of credentials and no credential. One is taken at a time (409). The copy needs as much free space in the data directory until it is sent."
      )
  )
  .add(
    HttpApiEndpoint.post("previewJournal", "/maintenance/sqlite/journal/preview")
      .setPayload(JournalPreviewRequest)
      .addSuccess(JournalPreview)
      .addError(Wire.JournalRequestInvalid)
      .addError(Wire.JournalChangeRefused)
      .annotate(Requires, "backup:write")
      .annotate(
        OpenApi.Description,
        "What a change of SQLite's journal mode would do, and the token that applies it: once, within 10 minutes. `delete`, and `wal` on a file system that is not known to keep its promises, are overrides: they need `singleHost: true`, `overrideReason`, and `expiresAt` at most 30 days ahead (400 otherwise), and a server with SERVICE_SQLITE_TOPOLOGY=single-host and SERVICE_SQLITE_HOST_ID (409 otherwise). `wal` on a local disk needs nothing more. No request can name a file."
      )
  )
  .add(
    HttpApiEndpoint.post("applyJournal", "/maintenance/sqlite/journal/apply")
      .setPayload(JournalApply)
      .addSuccess(Scheduled)
      .addError(Wire.JournalRequestInvalid)
      .addError(Wire.JournalChangeRefused)
      .addError(Wire.JournalPreviewNotFound)
      .middleware(ExplicitCredential)
      .annotate(Requires, withOwnCredential("admin:manage"))
      .annotate(
        OpenApi.Description,
        "Schedules a previewed change for the next start of the server, which does it before it opens the database for work. One change can wait at a time. Whoever is admin without a credential of their own is refused, before the body is looked at."
      )
  )
  .add(
    HttpApiEndpoint.get("journalStatus", "/maintenance/sqlite/journal/status")
      .addSuccess(JournalStatus)
      .annotate(Requires, "backup:read")
      .annotate(
        OpenApi.Description,
        "The journal mode, the change that waits for the next start, the override that stands, and the last change that is over."
      )
  )
  .add(
    HttpApiEndpoint.get("journalOperation", "/maintenance/sqlite/journal/operations/:id")
      .setPath(Schema.Struct({ id: OperationId }))
      .addSuccess(JournalOperationReport)
      .addError(Wire.JournalOperationNotFound)
      .annotate(Requires, "backup:read")
      .annotate(
        OpenApi.Description,
        "One change: `scheduled` until the next start, then `applied`, `refused` (the host, its topology or its file system is not what it was, or the override was revoked), `expired`, or `failed` when SQLite did not take the mode."
      )
  )
  .add(
    HttpApiEndpoint.post("revokeJournalOverride", "/maintenance/sqlite/journal/override/revoke")
      .addSuccess(JournalStatus)
      .addError(Wire.JournalOverrideNotFound)
      .middleware(ExplicitCredential)
      .annotate(Requires, withOwnCredential("admin:manage"))
      .annotate(
        OpenApi.Description,
        "Revokes the override of the journal mode, and withdraws the change that waits for the next start. The mode stays until the next start. 404 when there is nothing to revoke. Whoever is admin without a credential of their own is refused."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Maintenance")
