import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { HarnessCompatibilityApi } from "./Api.ts"
import { baseline, baselineDigest, fixtures } from "./Baseline.ts"

export const HarnessCompatibilityHttp = HttpApiBuilder.group(
  HttpApi.make("muster").add(HarnessCompatibilityApi),
  "harnessCompatibility",
  (handlers) =>
    handlers.handle("get", () => Effect.succeed({ ...baseline, evidenceDigest: baselineDigest, fixtures }))
)
