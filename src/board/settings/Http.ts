import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { SettingsApi } from "./Api.ts"
import { FeatureSettings } from "./FeatureSettings.ts"

export const SettingsHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(SettingsApi),
  "settings",
  (handlers) =>
    Effect.map(FeatureSettings, (settings) =>
      handlers
        .handle("features", () => settings.get)
        .handle("patchFeatures", ({ payload }) => asActor((by) => settings.patch(payload, by)))
    )
)
