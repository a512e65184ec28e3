import * as Command from "@effect/cli/Command"
import { Effect } from "effect"
import type { AgentSupport } from "../../../board/agents-config/AgentSupport.ts"
import { ConfigApi } from "../../../board/agents-config/Api.ts"
import { Client } from "../../../client/Client.ts"
import { oneLine } from "../../../kernel/Foreign.ts"
import { RegistryApi } from "../../../runs/registry/Api.ts"
import type { Registration } from "../../../runs/registry/Registration.ts"
import { ask } from "../../Answer.ts"
import { json } from "../../Parts.ts"
import { table } from "../../text/Table.ts"

/*
 * The command about agents: those that are configured, and those that registered themselves.
 */

/** The most registrations that the server shows at once: all that there can be. */
const limit = 1_000

/** What a registered agent does, as it last said it. */
const doing = ({ currentTaskId, lastHeartbeatAt, status }: Registration): string => {
  if (status === "offline") return `offline, last heard of ${lastHeartbeatAt}`
  return currentTaskId === null ? status : `${status} with ${oneLine(currentTaskId)}`
}

/** How an agent of the configuration is; one that works elsewhere and registered says so itself. */
const stateOf = ({ adapter, enabled, reason, tier }: AgentSupport, registered: Registration | undefined) => {
  if (!enabled) return "switched off"
  if (adapter === "gateway" && registered !== undefined) return doing(registered)
  return tier === "supported" ? "ready" : `${tier}: ${reason}`
}

const rowsOf = (
  configured: ReadonlyArray<AgentSupport>,
  registered: ReadonlyArray<Registration>
): ReadonlyArray<ReadonlyArray<string>> => {
  const byId = new Map(registered.map((one) => [one.id, one]))
  const types = new Set(configured.map(({ type }) => type))
  return [
    ...configured.map((one) => [one.type, one.adapter, one.name, stateOf(one, byId.get(one.type))]),
    ...registered
      .filter(({ id }) => !types.has(id))
      .map((one) => [one.id, "registered", one.name, doing(one)])
  ]
}

export const agents = Command.make("agents", { json }, (given) =>
  ask(
    given.json,
    Effect.gen(function* () {
      const { call } = yield* Client
      const known = yield* call(ConfigApi, ({ config }) => config.agentSupport())
      const configured = known.filter((one) => one.configured)
      const registered = yield* call(RegistryApi, ({ registry }) => registry.list({ urlParams: { limit } }))
      return {
        json: { configured, registered },
        text: (paint) =>
          configured.length + registered.length === 0
            ? "No agents. PUT /api/config/agents configures one; an agent that works elsewhere registers itself with POST /api/agents/register."
            : table(["AGENT", "RUN BY", "NAME", "STATE"], rowsOf(configured, registered), paint)
      }
    })
  )
)
