import type { AgentConfig, AgentProvider } from "../../board/agents-config/AgentConfig.ts"
import type { RuntimeManifest } from "../manifests/RuntimeManifest.ts"
import { ownRuntime, type ProbeFinding } from "../manifests/SynthesizeManifest.ts"

/** An agent that a task can be given to, and what runs it. */
export interface AgentRuntime {
  /** The type of a configured agent, or the id of a registered one. */
  readonly agent: string
  readonly name: string
  readonly origin: "configured" | "registered"
  /** How it is run: a registered agent through the gateway. */
  readonly provider: AgentProvider
  /** What its configuration says; a registered agent has nothing that switches it off. */
  readonly enabled: boolean
  /** Whether its manifest proves anything now: that of a registered agent for five minutes after a heartbeat. */
  readonly isEvidence: boolean
  readonly manifest: RuntimeManifest
}

/** A registered agent, as this room hears of it. */
export interface RegisteredManifest {
  readonly id: string
  readonly name: string
  readonly manifest: RuntimeManifest
  readonly isEvidence: boolean
}

/**
 * The runtime of a configured agent. Of one that works elsewhere, what it registered under its own type is the evidence,
 * while it is fresh; any other is judged by its adapter and by what the probe of its program found.
 */
export const configuredRuntime = (
  { enabled, model, name, provider, type }: AgentConfig,
  probe: ProbeFinding,
  registered: RegisteredManifest | undefined
): AgentRuntime => ({
  agent: type,
  name,
  origin: "configured",
  provider,
  enabled,
  isEvidence: true,
  manifest:
    provider === "gateway" && registered?.isEvidence === true
      ? registered.manifest
      : ownRuntime({ adapter: provider, model }, probe)
})

/** The runtime of an agent that registered itself and that nobody configured. */
export const registeredRuntime = ({ id, isEvidence, manifest, name }: RegisteredManifest): AgentRuntime => ({
  agent: id,
  name,
  origin: "registered",
  provider: "gateway",
  enabled: true,
  isEvidence,
  manifest
})

/** What the circuit of an agent's provider is called (spec 1-core, Health). */
export const providerCircuit = (agent: string): string => `provider:${agent}`
