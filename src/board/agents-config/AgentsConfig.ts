import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { type FieldsDenied, requireAdministrator } from "../../kernel/FieldRights.ts"
import { iso } from "../../kernel/Time.ts"
import { interfaceVersion, version } from "../../kernel/Version.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { singleton } from "../../storage/Singleton.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import {
  AgentSettings,
  type Agents,
  type Configuration,
  type DefaultAgent,
  faultsOf,
  noAgents,
  programsChanged,
  withAgents
} from "./AgentConfig.ts"
import type { AgentSupport, VersionEvidence } from "./AgentSupport.ts"
import { AgentNotConfigured, AgentsInvalid } from "./Errors.ts"
import { AgentsUpdated } from "./Events.ts"
import { type ProgramFinding, Programs, variable } from "./Programs.ts"
import { type Candidate, candidates, isWellKnown, judge } from "./SupportRules.ts"

const name = "agents"

const settings = singleton(name, AgentSettings)

/** The agents as a unit of work sees them. */
export const current: Effect.Effect<AgentSettings, never, Sql> = Effect.map(
  settings.read,
  (stored) => stored ?? noAgents
)

/**
 * The digests of the manifests that runtimes have now, by the types of agents; none for a type that nobody configured or
 * registered. This room asks; runs answer.
 */
export interface ManifestDigestsService {
  readonly all: Effect.Effect<ReadonlyMap<string, string>, never, Sql>
}

export class ManifestDigests extends Context.Tag("muster/ManifestDigests")<
  ManifestDigests,
  ManifestDigestsService
>() {}

/** The agents of the board, and how far this machine supports them. */
export interface AgentsConfigService {
  readonly configuration: Effect.Effect<Configuration>
  readonly agents: Effect.Effect<Agents>
  /** Replaces all agents. A default agent that is not among the new ones is dropped. */
  readonly put: (agents: Agents, by: ActorContext) => Effect.Effect<Agents, AgentsInvalid | FieldsDenied>
  readonly setDefault: (
    agent: DefaultAgent,
    by: ActorContext
  ) => Effect.Effect<DefaultAgent, AgentNotConfigured>
  /**
   * How far this machine supports them. Programs are asked for their version only for callers who may have that done.
   */
  readonly support: (by: ActorContext) => Effect.Effect<ReadonlyArray<AgentSupport>>
}

export class AgentsConfig extends Context.Tag("muster/AgentsConfig")<AgentsConfig, AgentsConfigService>() {
  static readonly layer = Layer.effect(
    AgentsConfig,
    Effect.gen(function* () {
      const { read, write } = yield* Storage
      const programs = yield* Programs
      const digests = yield* ManifestDigests

      const supportOf = (mayAsk: boolean) => (candidate: Candidate) =>
        Effect.gen(function* () {
          const { agent, known } = candidate
          const { executable, probe } =
            agent.command === undefined
              ? notNeeded
              : yield* programs.look({ command: agent.command, wellKnown: isWellKnown(candidate), mayAsk })
          const variables = new Set([...(agent.passthroughEnv ?? []), ...(known?.credentials ?? [])])
          const values = yield* Effect.forEach(variables, (one) =>
            Effect.zip(Effect.succeed(one), variable(one))
          )
          const set = new Set(values.flatMap(([one, value]) => (value === undefined ? [] : [one])))
          return { candidate, executable, version: versionOf(probe), isSet: (one: string) => set.has(one) }
        })

      return AgentsConfig.of({
        configuration: Effect.map(read(current), (settings) => ({
          version,
          interfaceVersion,
          ...settings
        })),
        agents: Effect.map(read(current), ({ agents }) => ({ agents })),
        put: Effect.fn("AgentsConfig.put")(function* ({ agents }, by) {
          const issues = faultsOf(agents)
          if (issues.length > 0) return yield* new AgentsInvalid({ issues })
          const unit = Effect.gen(function* () {
            const before = yield* current
            yield* requireAdministrator(by, programsChanged(agents, before.agents))
            yield* store(withAgents(before, agents), by)
            return { agents }
          })
          return yield* write(unit)
        }),
        setDefault: Effect.fn("AgentsConfig.setDefault")(function* ({ agent }, by) {
          const unit = Effect.gen(function* () {
            const settings = yield* current
            if (!settings.agents.some(({ type }) => type === agent)) {
              return yield* new AgentNotConfigured({ agent })
            }
            yield* store({ ...settings, defaultAgent: agent }, by)
            return { agent }
          })
          return yield* write(unit)
        }),
        support: Effect.fn("AgentsConfig.support")(function* (by) {
          const { agents } = yield* read(current)
          const found = yield* Effect.forEach(candidates(agents), supportOf(mayHaveAsked(by)), {
            concurrency: 2
          })
          // What the probes have just found is part of the manifests.
          const manifests = yield* read(digests.all)
          return found.map(({ candidate, ...evidence }) =>
            judge(candidate, { ...evidence, manifestDigest: manifests.get(candidate.agent.type) ?? null })
          )
        })
      })
    })
  )
}

const notNeeded: ProgramFinding = { executable: { posture: "not-needed", name: null }, probe: undefined }

const versionOf = (probe: ProgramFinding["probe"]): VersionEvidence =>
  probe === undefined
    ? { value: null, source: "none", checkedAt: null }
    : { value: probe.version, source: "version-flag", checkedAt: iso(probe.checkedAt) }

/** Whose look at the agents asks their programs for a version (ruling 108); anybody else's shows what was found. */
export const mayHaveAsked = ({ permissions }: ActorContext): boolean =>
  permissions.has("agent:write") || permissions.has("settings:write")

const store = (after: AgentSettings, by: ActorContext): Effect.Effect<void, never, Sql> => {
  const { agents, defaultAgent } = after
  const types = agents.map(({ type }) => type)
  return Effect.zipRight(
    settings.write(after),
    Journal.record(new AgentsUpdated({ resourceId: name, types, defaultAgent }), by)
  )
}
