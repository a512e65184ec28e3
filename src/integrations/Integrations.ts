import { Effect, Layer } from "effect"
import type { TaskRemoval } from "../board/tasks/TaskRemoval.ts"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Seeing.ts"
import { AdapterKinds } from "./communication/AdapterKinds.ts"
import { Adapters } from "./communication/Adapters.ts"
import { Communication } from "./communication/Communication.ts"
import { CommunicationHttp } from "./communication/Http.ts"
import { Replies } from "./communication/replies/Replies.ts"
import { Hooks } from "./hooks/Hooks.ts"
import { HooksHttp } from "./hooks/Http.ts"
import { Bridge } from "./relay/bridge/Bridge.ts"
import { Channels } from "./relay/channels/Channels.ts"
import { RelayChannelsHttp } from "./relay/channels/Http.ts"
import * as NostrRelayClient from "./relay/client/NostrRelayClient.ts"
import { Compatibility } from "./relay/compatibility/Compatibility.ts"
import { HarnessCompatibilityHttp } from "./relay/compatibility/Http.ts"
import { Definitions } from "./relay/definitions/Definitions.ts"
import { RelayDefinitionsHttp } from "./relay/definitions/Http.ts"
import { Verifier } from "./relay/nostr/Verifier.ts"
import { Outgoing } from "./relay/outgoing/Outgoing.ts"
import { Relay } from "./relay/Relay.ts"
import { RelayTriggersHttp } from "./relay/triggers/Http.ts"
import { Triggers } from "./relay/triggers/Triggers.ts"
import { Teamchat } from "./teamchat/Teamchat.ts"
import { TrackersHttp } from "./trackers/Http.ts"
import { Trackers } from "./trackers/Trackers.ts"
import * as Tracker from "./trackers/Units.ts"

/** The handlers of the integrations. */
export const IntegrationsHttp = Layer.mergeAll(
  CommunicationHttp.pipe(seeing(Authorization, Adapters, Communication, Replies)),
  HarnessCompatibilityHttp.pipe(seeing(Authorization)),
  HooksHttp.pipe(seeing(Authorization, Hooks)),
  RelayChannelsHttp.pipe(seeing(Authorization, Channels)),
  RelayTriggersHttp.pipe(seeing(Authorization, Triggers)),
  RelayDefinitionsHttp.pipe(seeing(Authorization, Definitions)),
  TrackersHttp.pipe(seeing(Authorization, Trackers))
)

/** Every kind that an adapter can have, and who knows how it is spoken to. */
const Kinds = Layer.effect(AdapterKinds, Effect.all({ relay: Relay, teamchat: Teamchat }))

/** Conversations with others, from what an operator sees down to the wire. */
const CommunicationLive = Layer.mergeAll(Communication.layer, Definitions.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Adapters.layer, Channels.layer, Replies.layer)),
  Layer.provideMerge(Kinds),
  Layer.provideMerge(Layer.mergeAll(Relay.layer, Teamchat.layer)),
  Layer.provideMerge(Bridge.layer),
  Layer.provideMerge(Layer.mergeAll(Compatibility.layer, Outgoing.layer)),
  Layer.provideMerge(Layer.mergeAll(NostrRelayClient.layer, Verifier.layer))
)

export { ExternalTriggers } from "./relay/triggers/ExternalTriggers.ts"

/** What the rooms of the integrations do when a task is deleted. */
export const integrationsRemovals: ReadonlyArray<TaskRemoval> = [Tracker.taskRemoval]

/** The services of the integrations. */
export const Integrations = Layer.mergeAll(CommunicationLive, Hooks.layer, Trackers.layer, Triggers.layer)
