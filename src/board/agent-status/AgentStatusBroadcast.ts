import { Effect } from "effect"
import type { Broadcast } from "../../storage/Broadcast.ts"
import { current } from "./AgentStatuses.ts"

/** Sends the status to the live stream whenever somebody reports: `agent:status {status, activeAgents}`. */
export const agentStatusBroadcast: Broadcast = {
  resource: "agent-status",
  render: () =>
    Effect.map(current, ({ activeAgents, status }) => ({ type: "agent:status", status, activeAgents }))
}
