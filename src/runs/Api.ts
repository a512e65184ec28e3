import * as HttpApi from "@effect/platform/HttpApi"

/** The groups of runs. */
export const RunsApi = HttpApi.make("muster")
