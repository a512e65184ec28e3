import { Effect } from "effect"
import type { Broadcast } from "../../storage/events/Broadcast.ts"
import { current } from "./AgentStatuses.ts"

/** `agent:status {status, activeAgents}` as they are now, after every report. */
export const agentStatusBroadcast: Broadcast = {
  resource: "agent-status",
  render: () =>
    Effect.map(current, ({ activeAgents, status }) => ({
      message: { type: "agent:status", status, activeAgents }
    }))
}
