import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { HarnessCompatibility } from "./HarnessCompatibility.ts"

export const HarnessCompatibilityApi = HttpApiGroup.make("harnessCompatibility")
  .add(
    HttpApiEndpoint.get("get", "/config/harness-compatibility")
      .addSuccess(HarnessCompatibility)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "What the relay bridge was tested against. `evidenceDigest` covers all of it: what a probe has found counts under the digest that it was found under. A relay that reports another version, or another commit, is unsupported until this record changes; one that reports no commit may be healthy."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Harness compatibility")
