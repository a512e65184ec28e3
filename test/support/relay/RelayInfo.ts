import type { Context } from "./Context.ts"
import { type Answer, json } from "./Faults.ts"

/** The document that a relay tells of itself (NIP-11). */
export const relayInfo = ({ self, settings }: Context): Answer => {
  const { commit, maxFrame, members, nips, pageCap, software, stableKey, version } = settings
  const enforced = members !== undefined && stableKey && !nips.includes(43)
  const document = {
    name: "Buzz Relay",
    description: "A relay of the tests",
    pubkey: null,
    contact: null,
    supported_nips: enforced ? [...nips, 43].sort((a, b) => a - b) : nips,
    supported_extensions: ["nip-er"],
    software,
    version,
    ...(commit === undefined ? {} : { commit }),
    limitation: {
      max_message_length: maxFrame,
      max_subscriptions: 1_024,
      max_filters: 10,
      max_limit: pageCap,
      max_subid_length: 256,
      auth_required: true,
      payment_required: false,
      restricted_writes: true
    },
    // A key that doesn't outlive a restart says nothing about who the relay is, so it isn't told.
    ...(stableKey ? { self } : {})
  }
  return json(200, document, { "content-type": "application/nostr+json" })
}
