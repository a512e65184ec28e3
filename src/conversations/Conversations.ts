import { Effect, Layer } from "effect"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Sight.ts"
import type { Retention } from "../storage/Retention.ts"
import { Adapters } from "./adapters/Adapters.ts"
import { AdapterKinds } from "./adapters/Kinds.ts"
import { Bridge } from "./bridge/Bridge.ts"
import { Channels } from "./channels/Channels.ts"
import { RelayChannelsHttp } from "./channels/Http.ts"
import { Communication } from "./communication/Communication.ts"
import { CommunicationHttp } from "./communication/Http.ts"
import { Compatibility } from "./compatibility/Compatibility.ts"
import { HarnessCompatibilityHttp } from "./compatibility/Http.ts"
import { Definitions } from "./definitions/Definitions.ts"
import { RelayDefinitionsHttp } from "./definitions/Http.ts"
import { receiptRetention } from "./deliveries/Retention.ts"
import { Outgoing } from "./outbox/Outgoing.ts"
import { Relay } from "./relay/Relay.ts"
import { Replies } from "./replies/Replies.ts"
import { Teamchat } from "./teamchat/Teamchat.ts"
import { RelayTriggersHttp } from "./triggers/Http.ts"
import { Triggers } from "./triggers/Triggers.ts"
import * as NostrRelayClient from "./wire/NostrRelayClient.ts"
import { Verifier } from "./wire/Verifier.ts"

/** The handlers of the conversations. */
export const ConversationsHttp = Layer.mergeAll(
  CommunicationHttp.pipe(seeing(Authorization, Adapters, Communication, Replies)),
  HarnessCompatibilityHttp.pipe(seeing(Authorization)),
  RelayChannelsHttp.pipe(seeing(Authorization, Channels)),
  RelayDefinitionsHttp.pipe(seeing(Authorization, Definitions)),
  RelayTriggersHttp.pipe(seeing(Authorization, Triggers))
)

/** How long conversations keep what they did. */
export const conversationsRetentions: ReadonlyArray<Retention> = [receiptRetention]

export { ExternalTriggers } from "./triggers/ExternalTriggers.ts"

/** Every kind that an adapter can have, answered by who knows how it is spoken to. */
export const Kinds = Layer.effect(AdapterKinds, Effect.all({ relay: Relay, teamchat: Teamchat })).pipe(
  Layer.provideMerge(Layer.mergeAll(Relay.layer, Teamchat.layer))
)

/** The services of the conversations, from what an operator sees down to the wire. */
export const Conversations = Layer.mergeAll(
  Communication.layer,
  Channels.layer,
  Definitions.layer,
  Replies.layer,
  Triggers.layer
).pipe(
  Layer.provideMerge(Adapters.layer),
  Layer.provideMerge(Kinds),
  Layer.provideMerge(Bridge.layer),
  Layer.provideMerge(Layer.mergeAll(Compatibility.layer, Outgoing.layer)),
  Layer.provideMerge(Layer.mergeAll(NostrRelayClient.layer, Verifier.layer))
)
