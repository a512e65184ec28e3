import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import * as TaskWire from "../tasks/Wire.ts"
import { DelegationReport, DelegationViolation } from "./Delegation.ts"
import { AgentStatus, AgentStatusReport } from "./Status.ts"

export const AgentStatusApi = HttpApiGroup.make("agentStatus")
  .add(
    HttpApiEndpoint.get("get", "/agent/status")
      .addSuccess(AgentStatus)
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "What the agents of the board do, as they last reported it. Before the first report it is `idle`, without agents."
      )
  )
  .add(
    HttpApiEndpoint.post("report", "/agent/status")
      .setPayload(AgentStatusReport)
      .addSuccess(AgentStatus)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Reports what the agents do. The fields that the body names change, the others stay; `activeAgents` replaces the list. `status` is a free word: idle, working and error are usual. Everybody on the stream gets `agent:status`. An empty body changes nothing."
      )
  )
  .add(
    HttpApiEndpoint.post("reportViolation", "/agent/status/delegation-violation")
      .setPayload(DelegationReport)
      .addSuccess(DelegationViolation)
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Records that the orchestrator `agent` did implementation work itself. With the gate orchestratorDelegation on, the answer has a `warning`, which the squad chat (as a system event of kind status) and the log get too; with it off `warning` is null. It never blocks and never changes a task. `details` is any JSON of at most 16,384 characters."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Agent status")
