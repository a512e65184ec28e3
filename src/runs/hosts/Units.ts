import { Effect } from "effect"
import type { AgentConfig } from "../../board/agents-config/AgentConfig.ts"
import * as Agents from "../../board/agents-config/Units.ts"
import { iso } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { notProbed, type ProbeFinding } from "../manifests/SynthesizeManifest.ts"
import * as Registry from "../registry/Units.ts"
import { type AgentRuntime, configuredRuntime, registeredRuntime } from "./AgentRuntime.ts"

/** What the last probe of an agent's program found. */
const probeOf = ({ command }: AgentConfig): Effect.Effect<ProbeFinding, never, Sql> =>
  command === undefined
    ? Effect.succeed(notProbed)
    : Effect.map(Agents.probeOf(command), (row) =>
        row === undefined ? notProbed : { ...row, probedAt: iso(row.probedAt) }
      )

const ofConfigured = (agent: AgentConfig): Effect.Effect<AgentRuntime, never, Sql> =>
  Effect.zipWith(probeOf(agent), Registry.registered(agent.type), (probe, registered) =>
    configuredRuntime(agent, probe, registered)
  )

/**
 * The runtime of an agent, by its type or its id; undefined for one that neither configuration nor registry knows. A
 * configured agent comes first. Nothing is asked of any program: it is what was found before.
 */
export const runtimeOf = (agent: string): Effect.Effect<AgentRuntime | undefined, never, Sql> =>
  Effect.gen(function* () {
    const { agents } = yield* Agents.current
    const configured = agents.find(({ type }) => type === agent)
    if (configured !== undefined) return yield* ofConfigured(configured)
    const registered = yield* Registry.registered(agent)
    return registered && registeredRuntime(registered)
  })

/**
 * The runtimes of all agents that a task could be given to: those that are configured, in their order, then those that
 * are registered and were heard of lately, by their ids.
 */
export const runtimes: Effect.Effect<ReadonlyArray<AgentRuntime>, never, Sql> = Effect.gen(function* () {
  const { agents } = yield* Agents.current
  const configured = yield* Effect.forEach(agents, ofConfigured)
  const types = new Set(agents.map(({ type }) => type))
  const live = yield* Registry.live
  return [...configured, ...live.filter(({ id }) => !types.has(id)).map(registeredRuntime)]
})

/**
 * The runtime that a digest of a manifest names now: of an agent that is switched on, or that was heard of lately. A
 * manifest that was replaced is nobody's any more.
 */
export const runtimeWithDigest = (digest: string): Effect.Effect<AgentRuntime | undefined, never, Sql> =>
  Effect.map(runtimes, (all) => all.find(({ enabled, manifest }) => enabled && manifest.digest === digest))

/** The digests of the manifests that agents have now, by their types or ids. */
export const manifestDigests: Effect.Effect<ReadonlyMap<string, string>, never, Sql> = Effect.map(
  runtimes,
  (all) => new Map(all.map(({ agent, manifest }) => [agent, manifest.digest]))
)
