import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { CircuitKey, CircuitOverrideDraft, CircuitReport, CircuitReset } from "./CircuitReport.ts"
import { DeepHealth } from "./DeepHealth.ts"
import { Degraded, Liveness, Ready } from "./Readiness.ts"
import * as Wire from "./Wire.ts"

const CircuitPath = Schema.Struct({ key: CircuitKey })

export const HealthApi = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("health", "/health")
      .addSuccess(Liveness)
      .annotate(Requires, "public")
      .annotate(OpenApi.Description, "Liveness. Answers at `/health` too, without a prefix.")
  )
  .add(
    HttpApiEndpoint.get("live", "/health/live")
      .addSuccess(Liveness)
      .annotate(Requires, "public")
      .annotate(OpenApi.Description, "Liveness. Answers at `/health/live` too, without a prefix.")
  )
  .add(
    HttpApiEndpoint.get("ready", "/health/ready")
      .addSuccess(Ready)
      .addSuccess(Degraded)
      .annotate(Requires, "public")
      .annotate(
        OpenApi.Description,
        "Readiness: 503 when storage can't write, when the disk has less than 100 MB or 1 % left, or when the heap is above 90 % of its limit. Answers at `/health/ready` too, without a prefix."
      )
  )
  .add(
    HttpApiEndpoint.get("deep", "/health/deep")
      .addSuccess(DeepHealth)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Diagnostics: versions, the checks of readiness, open WebSockets, workers with their last round, the circuits of outbound dependencies with the overrides in force, and how SQLite stores the board. Times, counts and codes; no address, no path, nothing that was sent. `status` is degraded when a check is, or when the database is damaged; the answer is 200 either way. Answers at `/health/deep` too, without a prefix."
      )
  )
  .add(
    HttpApiEndpoint.post("resetCircuit", "/health/dependency-circuits/:key/reset")
      .setPath(CircuitPath)
      .setPayload(CircuitReset)
      .addSuccess(CircuitReport)
      .addError(Wire.CircuitNotFound)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Forgets the evidence of a circuit, so that it closes, and answers with it. Its override stays. The reason has 8 to 500 characters, blanks around it not counted; it is kept with the circuit, free of secrets."
      )
  )
  .add(
    HttpApiEndpoint.post("overrideCircuit", "/health/dependency-circuits/:key/override")
      .setPath(CircuitPath)
      .setPayload(CircuitOverrideDraft)
      .addSuccess(CircuitReport)
      .addError(Wire.CircuitOverrideLimitReached)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Lets everything (`allow`) or nothing (`block`) through a circuit for 60 to 3,600 seconds, and answers with it. The evidence stays. A second override replaces the first; it ends by itself, and outlives a restart. A key that no circuit has yet is taken too, for a dependency that was not called since the start; 100 circuits can be overridden at once."
      )
  )
  .add(
    HttpApiEndpoint.del("clearOverride", "/health/dependency-circuits/:key/override")
      .setPath(CircuitPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.CircuitOverrideNotFound)
      .annotate(Requires, "admin:manage")
      .annotate(OpenApi.Description, "Takes the override of a circuit away: its evidence decides again.")
  )
  .middleware(Authorization)
  .annotate(OpenApi.Title, "Health")
