import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { integerText } from "../../kernel/Text.ts"
import { AuditEntry, AuditLimit, AuditVerification } from "./AuditEntry.ts"

export const AuditApi = HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit")
      .setUrlParams(
        Schema.Struct({
          limit: Schema.optional(AuditLimit),
          before: Schema.optional(
            integerText(1, Number.MAX_SAFE_INTEGER).annotations({
              description: "Only entries with a smaller sequence: the last one of the page before"
            })
          )
        })
      )
      .addSuccess(Schema.Array(AuditEntry))
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "What was done on this board, newest first: every write that succeeded, logins and their failures, pairings and their failures, and denials on routes for admins, also of what a body asks for beyond its route. A `limit` above 1,000 is taken as 1,000; `before` turns the page. Details are metadata, never the texts themselves."
      )
  )
  .add(
    HttpApiEndpoint.get("verify", "/audit/verify")
      .addSuccess(AuditVerification)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Follows the whole chain and says whether every entry is as it was written. An entry's hash is SHA-256 over its canonical JSON (RFC 8785) without `id` and `hash`, the hash of the entry before it included. The head of the chain is signed in a file apart from the table a second after it grows, so an end that was cut off is found as well. A restore leaves a mark that the same key signs: the chain of the backup verifies again, and `restores` names the head of the board that was replaced. `fault` is `changed`, `removed` or `truncated` at `brokenAt`, `restore-forged` for a mark that nobody could have signed, `head-missing`, `head-forged`, `key-missing` or `key-replaced` when nothing that was signed vouches for the chain, and `unreadable` when its table is gone. The chain says who could do what; whoever can write into the table and into the data directory can make a new one, so keep a copy of the head elsewhere."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Audit")
