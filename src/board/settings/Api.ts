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
        "The feature settings and the enforcement gates as they are in force, defaults included; `enforcement` is absent when it was removed. `admission` says how much may run at once (null is no limit, 0 lets nothing through) and how the rest waits; times are in milliseconds, memory in MiB. `claims.minutes` is for how long whoever claims a task holds it without a word."
      )
  )
  .add(
    HttpApiEndpoint.patch("patchFeatures", "/settings/features")
      .setPayload(FeaturesPatch)
      .addSuccess(Features)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Changes what the body names, key by key at every depth; `enforcement: null` removes the gates, so that all are skipped. Below `admission.limits` null takes limits away; any other null brings the default back. Unknown names and values are refused. `claims.minutes` holds for the claims that are made from now on. New limits hold for the next start, and who waits is looked at again at once; what runs goes on."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Settings")
