import { Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"
import { everyIssue, integer, listOf, nonBlank } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"

/** An agent at work: what it does, and on which task. */
export const ActiveAgent = Schema.Struct({
  agent: Schema.String,
  status: Schema.String,
  taskTitle: optional(Schema.String)
}).annotations({ identifier: "ActiveAgent" })
export type ActiveAgent = typeof ActiveAgent.Type

/** What the agents of the board do, as they report it: one record for the board (spec 1-core, Agent status). */
export const AgentStatus = Schema.Struct({
  status: Schema.String.annotations({ description: "A word such as idle, working or error" }),
  subAgentCount: Schema.Int,
  activeAgents: Schema.Array(ActiveAgent),
  updatedAt: optional(Timestamp).annotations({ description: "Absent until the first report" })
}).annotations({ identifier: "AgentStatus" })
export type AgentStatus = typeof AgentStatus.Type

/** The body of a report. A field that is absent stays as it is; a list of agents replaces the one before. */
export const AgentStatusReport = Schema.Struct({
  status: optional(nonBlank(64)),
  subAgentCount: optional(integer(0, 1_000_000)),
  activeAgents: optional(
    listOf(
      Schema.Struct({ agent: nonBlank(200), status: nonBlank(64), taskTitle: optional(nonBlank(500)) }),
      100
    )
  )
}).annotations({ identifier: "AgentStatusReport", ...everyIssue })
export type AgentStatusReport = typeof AgentStatusReport.Type

/** The status of a board on which nobody has reported yet. */
export const idle: AgentStatus = { status: "idle", subAgentCount: 0, activeAgents: [] }
