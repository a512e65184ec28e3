import { Effect, Redacted } from "effect"
import type { OutboundFailure, OutboundService } from "../../kernel/outbound/Outbound.ts"
import type { TeamchatAdapter } from "../adapters/Adapter.ts"
import { allowanceOf } from "../adapters/Allowance.ts"
import type { Access } from "./Access.ts"
import { type Reason, reasonOf } from "./Reason.ts"

/** What a webhook gets. It holds no secrets. */
export interface Payload {
  readonly text: string
  readonly actor: string
  readonly squadMessageId: string
  readonly channelId: string | null
  readonly threadId?: string
}

/** The circuit that guards an adapter's webhook. */
export const circuitOf = (adapterId: string): string => `teamchat:${adapterId}`

/**
 * Calls the webhook once. Gives the reason when the message did not arrive, or when nobody can tell whether it did: a
 * webhook can't be asked.
 */
export const postTo = (
  adapter: TeamchatAdapter,
  { credential, webhookUrl }: Access,
  deliveryId: string,
  payload: Payload,
  outbound: OutboundService
): Effect.Effect<Reason | undefined> =>
  outbound
    .send({
      circuit: circuitOf(adapter.id),
      method: "POST",
      url: Redacted.value(webhookUrl),
      headers: {
        "content-type": "application/json",
        "x-muster-delivery": deliveryId,
        ...(credential === undefined ? {} : { authorization: `Bearer ${Redacted.value(credential)}` })
      },
      body: JSON.stringify(payload),
      allow: allowanceOf(adapter)
    })
    .pipe(Effect.match({ onFailure: reasonOfFailure, onSuccess: ({ status }) => reasonOf(status) }))

/** Why a call came to nothing. */
export const reasonOfFailure = (failure: OutboundFailure): Reason => {
  switch (failure._tag) {
    case "AddressRefused":
      return "network_policy_blocked"
    case "CircuitOpen":
      return "circuit_open"
    case "OutboundTimeout":
      return "webhook_timeout"
    case "ResponseTooLarge":
      return "response_too_large"
    case "Unreachable":
      return "webhook_unreachable"
  }
}
