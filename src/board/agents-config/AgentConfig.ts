import { Schema } from "effect"
import type { Issue } from "../../kernel/Failures.ts"
import { kept, openly } from "../../kernel/Incoming.ts"
import { optional } from "../../kernel/Optional.ts"
import { integer, listOf, nonBlank, strict, text } from "../../kernel/Text.ts"

/** The id of a configured agent: what routing, starts and workflow steps call it. */
export const AgentType = Schema.String.pipe(
  Schema.pattern(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
    message: () => "Expected 1 to 64 of a-z, 0-9, and . _ -, beginning with a letter or a digit"
  }),
  kept("It is the id of an agent, and stands in commands and conditions as it is.")
)

/**
 * How an agent is run (spec README, ruling 22). `gateway`: it works elsewhere and reports by callback. `command`: a
 * child process. `acp`: the Agent Client Protocol over stdio. `app-server`: a JSON-RPC thread.
 */
export const AgentProvider = Schema.Literal("gateway", "command", "acp", "app-server").annotations({
  identifier: "AgentProvider"
})
export type AgentProvider = typeof AgentProvider.Type

/** A part of a command line. A secret is refused, as what is left after it was taken out would not run. */
const part = openly("Expected no secret: hand it on in a variable that passthroughEnv names")

/** The name of a variable that an agent gets from the server's environment; the server's own ones stay with it. */
const PassthroughName = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, { message: () => "Expected the name of a variable" }),
  Schema.filter((name) => !/^(?:SERVICE|RELAY)_/.test(name), {
    message: () =>
      "Expected a variable that is not the service's own: SERVICE_ and RELAY_ are never handed on",
    jsonSchema: {}
  }),
  kept("It names a variable, and never says what the variable holds.")
)

const id = nonBlank(200)

/** An agent that the board can start, or that reports to it (spec README, ruling 23). */
export const AgentConfig = Schema.Struct({
  type: AgentType,
  name: nonBlank(200),
  provider: AgentProvider,
  enabled: Schema.Boolean,
  command: optional(nonBlank(1_000, part)),
  args: optional(listOf(text(2_000, part), 100)),
  model: optional(nonBlank(200)),
  passthroughEnv: optional(listOf(PassthroughName, 100)),
  sandboxPresetId: optional(id),
  profileId: optional(id),
  memoryMb: optional(
    integer(0, 1_000_000_000).annotations({
      description: "What one run of it takes of `features.admission.limits`, in MiB; nothing without it"
    })
  )
}).annotations({ identifier: "AgentConfig", ...strict })
export type AgentConfig = typeof AgentConfig.Type

/** The agents as a whole: what a PUT replaces. */
export const Agents = Schema.Struct({ agents: listOf(AgentConfig, 100) }).annotations({
  identifier: "Agents",
  ...strict
})
export type Agents = typeof Agents.Type

/** The agent that is taken when nothing else says which. */
export const DefaultAgent = Schema.Struct({ agent: AgentType }).annotations({
  identifier: "DefaultAgent",
  ...strict
})
export type DefaultAgent = typeof DefaultAgent.Type

/** The configuration of the board. It names variables and never shows a value. */
export const Configuration = Schema.Struct({
  version: Schema.String,
  interfaceVersion: Schema.String,
  agents: Schema.Array(AgentConfig),
  defaultAgent: Schema.NullOr(Schema.String)
}).annotations({ identifier: "Configuration" })
export type Configuration = typeof Configuration.Type

/** What is stored. */
export const AgentSettings = Schema.Struct({
  agents: Schema.Array(AgentConfig),
  defaultAgent: Schema.NullOr(Schema.String)
})
export type AgentSettings = typeof AgentSettings.Type

export const noAgents: AgentSettings = { agents: [], defaultAgent: null }

/** Where agents that are each well-formed contradict one another. */
export const faultsOf = (agents: ReadonlyArray<AgentConfig>): ReadonlyArray<Issue> =>
  agents.flatMap(({ args, command, provider, type }, index) => {
    const at = (field: string, message: string) => [{ path: `agents.${index}.${field}`, message }]
    const repeated = agents.findIndex((other) => other.type === type) < index
    return [
      ...(repeated ? at("type", "Expected a type that no other agent has") : []),
      ...(provider !== "gateway" && command === undefined
        ? at("command", `Expected a command: ${provider} runs one`)
        : []),
      ...(provider === "gateway" && (command !== undefined || args !== undefined)
        ? at("command", "Expected no command: a gateway agent works elsewhere")
        : [])
    ]
  })

/** The settings with other agents. A default that is not among them is dropped. */
export const withAgents = (
  { defaultAgent }: AgentSettings,
  agents: ReadonlyArray<AgentConfig>
): AgentSettings => ({
  agents,
  defaultAgent: agents.some(({ type }) => type === defaultAgent) ? defaultAgent : null
})

/** What of an agent decides which program the server runs, and what it hands on to it. */
const programFields = ["command", "args", "passthroughEnv"] as const

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * The fields of new agents that only an administrator may set (ruling 108): they run something else than the agent of
 * their type runs now. Removing an agent, or what it runs, takes no administrator.
 */
export const programsChanged = (
  agents: ReadonlyArray<AgentConfig>,
  before: ReadonlyArray<AgentConfig>
): ReadonlyArray<string> =>
  agents.flatMap((agent, index) => {
    const old = before.find(({ type }) => type === agent.type)
    return programFields
      .filter((field) => agent[field] !== undefined || agent.command !== undefined)
      .filter((field) => !isSame(agent[field], old?.[field]))
      .map((field) => `agents.${index}.${field}`)
  })
