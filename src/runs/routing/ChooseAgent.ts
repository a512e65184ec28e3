import { Effect } from "effect"
import * as Agents from "../../board/agents-config/Units.ts"
import { type ActorContext, credentialName } from "../../kernel/Actor.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Origin } from "../documents/LaunchManifest.ts"
import * as Registry from "../registry/Units.ts"
import { NoAgentChosen } from "./Errors.ts"

/** An agent by its type or id, and who chose it. */
export interface ChosenAgent {
  readonly agent: string
  readonly chosenBy: Origin
}

/**
 * Who runs a task when a start says so, or does not (ruling 57): the agent that it names, else the caller when its key
 * or token is that of a registered agent, else the configured default.
 */
export const chooseAgent = (
  taskId: string,
  named: string | undefined,
  by: ActorContext
): Effect.Effect<ChosenAgent, NoAgentChosen, Sql> =>
  Effect.gen(function* () {
    if (named !== undefined) return { agent: named, chosenBy: "run" }
    const own = by.role === "agent" ? credentialName(by) : undefined
    if (own !== undefined && (yield* Registry.registered(own)) !== undefined)
      return { agent: own, chosenBy: "agent" }
    const { defaultAgent } = yield* Agents.current
    return defaultAgent === null
      ? yield* new NoAgentChosen({ taskId })
      : { agent: defaultAgent, chosenBy: "settings" }
  })
