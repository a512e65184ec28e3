import { Schema } from "effect"
import { Timestamp } from "../../kernel/Time.ts"
import { AgentProvider } from "./AgentConfig.ts"

/** How far this machine supports an agent. */
export const SupportTier = Schema.Literal("supported", "advisory", "unsupported", "unknown").annotations({
  identifier: "SupportTier",
  description:
    "`supported`: it can be started. `advisory`: something is left to do or unproven. `unsupported`: it can't be started. `unknown`: it does not say what it is."
})

/** Where an agent's program is. A path is never shown. */
const Executable = Schema.Struct({
  posture: Schema.Literal("found", "missing", "not-executable", "not-needed"),
  name: Schema.NullOr(Schema.String)
})

/** Whether an agent can prove who it is: which variables are set, never to what. */
const AuthPosture = Schema.Struct({
  posture: Schema.Literal("present", "absent", "unknown", "not-needed"),
  variables: Schema.Array(Schema.Struct({ name: Schema.String, set: Schema.Boolean }))
})

/** What a program said when it was asked for its version. */
const VersionEvidence = Schema.Struct({
  value: Schema.NullOr(Schema.String),
  source: Schema.Literal("version-flag", "none"),
  checkedAt: Schema.NullOr(Timestamp)
})
export type VersionEvidence = typeof VersionEvidence.Type

export const SupportReason = Schema.Literal(
  "ready",
  "callback",
  "not-configured",
  "disabled",
  "executable-missing",
  "not-executable",
  "credential-missing",
  "no-profile",
  "no-version",
  "not-asked"
)

/** How an agent is supported on this machine now (spec 1-core, `GET /config/agent-support`). */
export const AgentSupport = Schema.Struct({
  type: Schema.String,
  name: Schema.String,
  configured: Schema.Boolean,
  profile: Schema.NullOr(Schema.String),
  adapter: AgentProvider,
  transport: Schema.Literal("http-callback", "stdio", "acp-stdio", "json-rpc-stdio"),
  enabled: Schema.Boolean,
  tier: SupportTier,
  reasonCode: SupportReason,
  reason: Schema.String,
  executable: Executable,
  auth: AuthPosture,
  version: VersionEvidence,
  manifestDigest: Schema.NullOr(Schema.String),
  diagnosticCommands: Schema.Array(Schema.String),
  remediation: Schema.Array(Schema.String)
}).annotations({ identifier: "AgentSupport" })
export type AgentSupport = typeof AgentSupport.Type
