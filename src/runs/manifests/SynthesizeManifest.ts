import type { AgentProvider } from "../../board/agents-config/AgentConfig.ts"
import { type Guarantee, guarantees, knownCapabilities } from "./RunControls.ts"
import { type RuntimeManifest, type RuntimeProbe, sealManifest } from "./RuntimeManifest.ts"

/** What a probe found out about the program of an agent. */
export interface ProbeFinding {
  readonly state: RuntimeProbe["state"]
  /** It rises when what was found changes; 0 before the first probe. */
  readonly revision: number
  readonly version: string | null
  readonly build: string | null
  readonly probedAt: string | null
}

/** Nobody has looked. */
export const notProbed: ProbeFinding = {
  state: "unknown",
  revision: 0,
  version: null,
  build: null,
  probedAt: null
}

/** What is known of an agent that brought no manifest. */
export interface RuntimeFacts {
  readonly provider: string
  readonly adapter: AgentProvider
  readonly model?: string | undefined
  readonly version?: string | undefined
}

const unknownReason = "Nobody has found out"

const put = (
  { adapter, model, provider, version }: RuntimeFacts,
  sure: Readonly<Record<string, Guarantee>>,
  probe: Pick<RuntimeManifest, "probe" | "probeRevision">
): RuntimeManifest =>
  sealManifest({
    ...probe,
    provider,
    adapter,
    protocolVersion: null,
    providerVersion: version ?? null,
    models: model === undefined ? [] : [model],
    capabilities: knownCapabilities.map((id) => {
      const known = sure[id]
      return known === undefined
        ? { id, state: "unknown", source: "none", reason: unknownReason }
        : { id, ...known, source: "adapter" }
    })
  })

/** The manifest of an agent that registered without one: nothing is known of it (ruling 62, decision 45). */
export const unknownRuntime = (facts: RuntimeFacts): RuntimeManifest =>
  put(
    facts,
    {},
    { probeRevision: 0, probe: { state: "unknown", probedAt: null, source: "none", diagnostics: [] } }
  )

/**
 * The manifest of an agent that the service itself runs: what its adapter guarantees whatever it runs, and what a probe
 * has found. The rest is unknown.
 */
export const ownRuntime = (
  { adapter, ...facts }: Omit<RuntimeFacts, "version" | "provider">,
  { build, probedAt, revision, state, version }: ProbeFinding
): RuntimeManifest =>
  put(
    { ...facts, adapter, provider: adapter, ...(version === null ? {} : { version }) },
    guarantees[adapter],
    {
      probeRevision: revision,
      probe: {
        state,
        probedAt,
        source: probedAt === null ? "none" : "version-flag",
        diagnostics: build === null ? [] : [`build ${build}`]
      }
    }
  )
