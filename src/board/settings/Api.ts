import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { Features, FeaturesPatch } from "./Settings.ts"

export const SettingsApi = HttpApiGroup.make("settings")
  .add(
    HttpApiEndpoint.get("features", "/settings/features")
      .addSuccess(Features)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "The feature settings and the enforcement gates, all of them with their defaults; `enforcement` is absent when it was removed."
      )
  )
  .add(
    HttpApiEndpoint.patch("patchFeatures", "/settings/features")
      .setPayload(FeaturesPatch)
      .addSuccess(Features)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Changes what the body names, `enforcement` key by key; `enforcement: null` removes the gates, so that all are skipped. Unknown names and values are refused."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Settings")
