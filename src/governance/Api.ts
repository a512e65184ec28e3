import * as HttpApi from "@effect/platform/HttpApi"

/** The groups of governance. */
export const GovernanceApi = HttpApi.make("muster")
