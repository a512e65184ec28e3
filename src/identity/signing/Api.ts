import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { RotationStatus } from "../keys/Rotation.ts"
import * as Wire from "./Wire.ts"

export const SigningApi = HttpApiGroup.make("signing")
  .add(
    HttpApiEndpoint.post("rotate", "/auth/rotate-secret")
      .addSuccess(RotationStatus)
      .addError(Wire.SecretConfigured)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Makes a new secret for sessions and pairing payloads. What the one before signed counts for one more hour, until `graceUntil`; device and API tokens are not signed and stay. When SERVICE_JWT_SECRET sets the secret this is a 409."
      )
  )
  .add(
    HttpApiEndpoint.get("status", "/auth/rotation-status")
      .addSuccess(RotationStatus)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Which secret signs sessions, since when, and until when the one before counts."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Signing secret")
