import { basename } from "node:path"
import type { AgentConfig, AgentProvider } from "./AgentConfig.ts"
import type { AgentSupport, VersionEvidence } from "./AgentSupport.ts"
import { type KnownAgent, knownAgents, knownByProgram } from "./KnownAgents.ts"

/** An agent that is configured, or that could be. */
export interface Candidate {
  readonly agent: AgentConfig
  readonly configured: boolean
  readonly known: KnownAgent | undefined
}

/** The agents to report on: all that are configured, then those that many people use and nobody configured. */
export const candidates = (agents: ReadonlyArray<AgentConfig>): ReadonlyArray<Candidate> => {
  const configured = agents.map((agent) => ({ agent, configured: true, known: knownOf(agent) }))
  const used = new Set(configured.map(({ known }) => known?.profile))
  const types = new Set(agents.map(({ type }) => type))
  const others = knownAgents
    .filter(({ profile }) => !used.has(profile) && !types.has(profile))
    .map((known) => ({
      agent: {
        type: known.profile,
        name: known.name,
        provider: known.provider,
        enabled: false,
        command: known.command,
        args: known.args,
        passthroughEnv: known.credentials
      },
      configured: false,
      known
    }))
  return [...configured, ...others]
}

/** What is known of an agent: by its profile, or by the program that it runs. */
export const knownOf = ({ command, profileId }: AgentConfig): KnownAgent | undefined =>
  knownAgents.find(({ profile }) => profile === profileId) ??
  (command === undefined ? undefined : knownByProgram(command))

/** Whether the program of an agent is the one that many people use, and may be asked for its version. */
export const isWellKnown = ({ agent, known }: Pick<Candidate, "agent" | "known">): boolean =>
  agent.command !== undefined && basename(agent.command) === known?.command

/** What was found out about a candidate. */
export interface Evidence {
  readonly executable: AgentSupport["executable"]
  readonly isSet: (variable: string) => boolean
  readonly version: VersionEvidence
  readonly manifestDigest: string | null
}

const transports: Record<AgentProvider, AgentSupport["transport"]> = {
  gateway: "http-callback",
  command: "stdio",
  acp: "acp-stdio",
  "app-server": "json-rpc-stdio"
}

/** An agent that many people use needs one of its variables; any other needs all that it names. */
const authOf = ({ agent, known }: Candidate, isSet: Evidence["isSet"]): AgentSupport["auth"] => {
  if (agent.provider === "gateway") return { posture: "not-needed", variables: [] }
  const handedOn = new Set(agent.passthroughEnv)
  const names = known === undefined ? [...handedOn] : known.credentials
  const variables = names.map((name) => ({ name, set: handedOn.has(name) && isSet(name) }))
  if (known === undefined) {
    const posture = names.length === 0 ? "unknown" : variables.every(({ set }) => set) ? "present" : "absent"
    return { posture, variables }
  }
  return { posture: variables.some(({ set }) => set) ? "present" : "unknown", variables }
}

const reasonOf = (
  { agent, configured, known }: Candidate,
  { executable, version }: Evidence,
  auth: AgentSupport["auth"]
): AgentSupport["reasonCode"] => {
  if (executable.posture === "missing") return "executable-missing"
  if (executable.posture === "not-executable") return "not-executable"
  if (!configured) return "not-configured"
  if (!agent.enabled) return "disabled"
  if (agent.provider === "gateway") return "callback"
  if (auth.posture === "absent") return "credential-missing"
  if (known === undefined) return "no-profile"
  if (version.checkedAt === null) return "not-asked"
  return version.value === null ? "no-version" : "ready"
}

const tiers: Record<AgentSupport["reasonCode"], AgentSupport["tier"]> = {
  ready: "supported",
  callback: "supported",
  "not-configured": "advisory",
  disabled: "advisory",
  "credential-missing": "advisory",
  "no-profile": "advisory",
  "executable-missing": "unsupported",
  "not-executable": "unsupported",
  "no-version": "unknown",
  "not-asked": "unknown"
}

const reasons: Record<AgentSupport["reasonCode"], string> = {
  ready: "Its program is there and says its version",
  callback: "It works elsewhere and reports to the board",
  "not-configured": "It could be used, and nobody has configured it",
  disabled: "It is configured and switched off",
  "executable-missing": "Its program is not on the server's PATH",
  "not-executable": "Its program is there and can't be run",
  "credential-missing": "A variable that it is to be handed is not set in the server's environment",
  "no-profile": "Its program is there; what it is, is not known",
  "no-version": "Its program does not say its version",
  "not-asked": "Its program is there, and nobody has had it asked for its version since it is as it is"
}

const remediationOf = (
  { agent, known }: Candidate,
  reasonCode: AgentSupport["reasonCode"],
  auth: AgentSupport["auth"]
): ReadonlyArray<string> => {
  const missing = auth.variables.filter(({ set }) => !set).map(({ name }) => name)
  switch (reasonCode) {
    case "executable-missing":
      return [
        ...(known === undefined ? [] : [`Install it: ${known.install}`]),
        "Put its program on the PATH of the server, and restart the server"
      ]
    case "not-executable":
      return ["Make its program executable: chmod +x"]
    case "not-configured":
      return [`Add it with PUT /api/config/agents: type ${agent.type}, provider ${agent.provider}`]
    case "disabled":
      return ["Switch it on with PUT /api/config/agents: enabled true"]
    case "credential-missing":
      return [`Start the server with ${missing.join(", ")} set`]
    case "not-asked":
      return ["Look at it with a key that has settings:write or agent:write: then its program is asked"]
    case "no-version":
      return ["Run its diagnostic command on the server, as the user of the server"]
    default:
      return auth.posture === "unknown" && known !== undefined
        ? [`If it is not logged in on the server: ${known.login}`]
        : []
  }
}

/** What the evidence says about a candidate. */
export const judge = (candidate: Candidate, evidence: Evidence): AgentSupport => {
  const { agent, configured, known } = candidate
  const auth = authOf(candidate, evidence.isSet)
  const reasonCode = reasonOf(candidate, evidence, auth)
  const { name } = evidence.executable
  return {
    type: agent.type,
    name: agent.name,
    configured,
    profile: agent.profileId ?? known?.profile ?? null,
    adapter: agent.provider,
    transport: transports[agent.provider],
    enabled: agent.enabled,
    tier: tiers[reasonCode],
    reasonCode,
    reason: reasons[reasonCode],
    executable: evidence.executable,
    auth,
    version: evidence.version,
    manifestDigest: evidence.manifestDigest,
    diagnosticCommands: name === null ? [] : [`command -v ${name}`, `${name} --version`],
    remediation: remediationOf(candidate, reasonCode, auth)
  }
}
