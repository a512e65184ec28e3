import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { MaintenanceApi } from "./Api.ts"
import { type Backup, Backups } from "./Backups.ts"
import { JournalMaintenance } from "./JournalMaintenance.ts"

const respondFile = ({ content, sizeBytes }: Backup) =>
  HttpServerResponse.stream(content, {
    contentType: "application/vnd.sqlite3",
    contentLength: sizeBytes,
    headers: { "content-disposition": 'attachment; filename="muster-backup.db"' }
  })

export const MaintenanceHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(MaintenanceApi),
  "maintenance",
  (handlers) =>
    Effect.gen(function* () {
      const backups = yield* Backups
      const journal = yield* JournalMaintenance
      return handlers
        .handle("backup", () => asActor((by) => Effect.map(backups.take(by), respondFile)))
        .handle("previewJournal", ({ payload }) => asActor((by) => journal.preview(payload, by)))
        .handle("applyJournal", ({ payload }) => asActor((by) => journal.apply(payload, by)))
        .handle("journalStatus", () => journal.status)
        .handle("journalOperation", ({ path }) => journal.operation(path.id))
        .handle("revokeJournalOverride", () => asActor(journal.revoke))
    })
)
