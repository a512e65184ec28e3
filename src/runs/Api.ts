import * as HttpApi from "@effect/platform/HttpApi"
import { OutputArtifactsApi } from "./artifacts/Api.ts"
import { RunEventsApi } from "./journal/Api.ts"

/** The groups of runs. */
export const RunsApi = HttpApi.make("muster").add(OutputArtifactsApi).add(RunEventsApi)
