import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { AuditApi } from "./Api.ts"
import { AuditLog } from "./AuditLog.ts"

export const AuditHttp = HttpApiBuilder.group(HttpApi.make("muster").add(AuditApi), "audit", (handlers) =>
  Effect.map(AuditLog, (log) =>
    handlers.handle("list", ({ urlParams }) => log.list(urlParams)).handle("verify", () => log.verify)
  )
)
