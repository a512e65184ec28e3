import * as HttpApi from "@effect/platform/HttpApi"
import { RunApprovalsApi } from "./approvals/Api.ts"

/** The groups of governance. */
export const GovernanceApi = HttpApi.make("muster").add(RunApprovalsApi)
import { AdmissionApi } from "./admission/Api.ts"
import { QueueApi } from "./queue/Api.ts"

/** The groups of governance. */
export const GovernanceApi = HttpApi.make("muster").add(AdmissionApi).add(QueueApi)
