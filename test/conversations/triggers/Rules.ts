import { Effect } from "effect"
import { Adapters } from "../../../src/conversations/adapters/Adapters.ts"
import * as MappingRepo from "../../../src/conversations/mappings/MappingRepo.ts"
import { considerTriggers } from "../../../src/conversations/triggers/ConsiderTriggers.ts"
import type { InboundMessage } from "../../../src/conversations/triggers/Decision.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { type As, type RequestOptions, World } from "../../support/World.ts"
import { admin } from "../teamchat/Teams.ts"

export const adapterId = "relay"
export const mappingId = "map_1"
const at = "2026-11-21T09:00:00.000Z"

/** A mapping as the channels room stores it. */
export const insertMapping = (id: string, enabled = true, adapter = adapterId) =>
  Effect.flatMap(Storage, ({ write }) =>
    write(
      MappingRepo.insert(
        {
          id,
          adapterId: adapter,
          channelId: `channel-of-${id}`,
          target: { kind: "squad" },
          enabled,
          actor: "bridge",
          createdAt: at,
          updatedAt: at
        },
        0
      )
    )
  )

/** A relay with a channel that leads to the squad chat. */
export const aRelay = Effect.gen(function* () {
  const { put } = yield* Adapters
  const relayHttpUrl = "https://relay.example.com"
  yield* put(adapterId, { kind: "relay", displayName: "Relay", enabled: true, relayHttpUrl }, admin)
  yield* insertMapping(mappingId)
})

const path = (adapter = adapterId) => `/api/integrations/communication/adapters/${adapter}/relay`

export const postRule = (body: unknown, options: RequestOptions = {}, adapter = adapterId) =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `${path(adapter)}/workflow-triggers`, { as: "admin", body, ...options })
  )

export const aRule = (more: object = {}) =>
  Effect.map(postRule({ mappingId, workflowId: "deploy", ...more }), ({ body }) => body)

export const listRules = (as: As | null = "admin", adapter = adapterId) =>
  Effect.flatMap(World, ({ request }) => request("GET", `${path(adapter)}/workflow-triggers`, { as }))

export const disableRule = (id: string, as: As = "admin", adapter = adapterId) =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `${path(adapter)}/workflow-triggers/${id}/disable`, { as })
  )

export const audits = (query = "", as: As = "admin", adapter = adapterId) =>
  Effect.flatMap(World, ({ request }) =>
    request("GET", `${path(adapter)}/workflow-trigger-audits${query}`, { as })
  )

/** A root message that says "Please deploy". */
export const messageOf = (more: Partial<InboundMessage> = {}): InboundMessage => ({
  adapterId,
  mappingId,
  community: "relay.example.com",
  channelId: "channel-1",
  eventId: "e".repeat(64),
  authorPubkey: "a".repeat(64),
  kind: 9,
  isRoot: true,
  isEcho: false,
  text: "Please deploy",
  createdAt: 1_790_000_000,
  ...more
})

/** Lets an event come in, as the bridge does when it stores one. */
export const arrive = (more: Partial<InboundMessage> = {}) =>
  Effect.flatMap(Storage, ({ write }) => write(considerTriggers(messageOf(more))))
