import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import { BoardApi } from "./board/Api.ts"
import { ConversationsApi } from "./conversations/Api.ts"
import { GovernanceApi } from "./governance/Api.ts"
import { IdentityApi } from "./identity/Api.ts"
import { InsightApi } from "./insight/Api.ts"
import { IntegrationsApi } from "./integrations/Api.ts"
import { AnyFailure } from "./kernel/Failures.ts"
import { actorGuards, type RouteGuard } from "./kernel/RouteGuard.ts"
import { interfaceVersion } from "./kernel/Version.ts"
import { RunsApi } from "./runs/Api.ts"

/** Every guard that may stand before a route; a route that names another one refuses the start. */
export const guards: ReadonlyArray<RouteGuard> = [...actorGuards]

/** The whole HTTP contract: what every client, the docs page and the server itself derive from. */
export const Api = HttpApi.make("muster")
  .addHttpApi(BoardApi)
  .addHttpApi(ConversationsApi)
  .addHttpApi(GovernanceApi)
  .addHttpApi(IdentityApi)
  .addHttpApi(InsightApi)
  .addHttpApi(IntegrationsApi)
  .addHttpApi(RunsApi)
  .addError(AnyFailure)
  .annotate(OpenApi.Title, "Muster")
  .annotate(OpenApi.Version, interfaceVersion)
  .annotate(
    OpenApi.Description,
    "A task board for people and software agents. Every path answers under `/api/v1` (canonical) and `/api`. Send an API key in `X-API-Key`. Names in a query that a route does not know are passed over, and told in `X-Unknown-Parameters`. Errors come in three envelopes: `{error, code, details?}`; `{code, message, details}` for revision and identity conflicts; `{success: false, error: {code, message, details}}` for enforcement gates."
  )
