import * as HttpApi from "@effect/platform/HttpApi"
import { AdmissionApi } from "./admission/Api.ts"
import { RunApprovalsApi } from "./approvals/Api.ts"
import { QueueApi } from "./queue/Api.ts"

/** The groups of governance. */
export const GovernanceApi = HttpApi.make("muster").add(AdmissionApi).add(QueueApi).add(RunApprovalsApi)
