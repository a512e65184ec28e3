import { Effect, Layer } from "effect"
import type { TaskRemoval } from "../board/tasks/TaskRemoval.ts"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Seeing.ts"
import type { Retention } from "../storage/retention/Retention.ts"
import { Adapters } from "./communication/Adapters.ts"
import { Communication } from "./communication/Communication.ts"
import { CommunicationHttp } from "./communication/Http.ts"
import { Replies } from "./communication/replies/Replies.ts"
import { Hooks } from "./hooks/Hooks.ts"
import { HooksHttp } from "./hooks/Http.ts"
import { executionRetention } from "./hooks/Retention.ts"
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
import { TrackerDrivers } from "./trackers/Driver.ts"
import { githubDriver } from "./trackers/github/GithubDriver.ts"
import { TrackersHttp } from "./trackers/Http.ts"
import { localDriver } from "./trackers/local/LocalDriver.ts"
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

/** Conversations with others, from what an operator sees down to the wire. */
const CommunicationLive = Layer.mergeAll(Communication.layer, Definitions.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Relay.layer, Replies.layer, Teamchat.layer)),
  Layer.provideMerge(Layer.mergeAll(Adapters.layer, Channels.layer)),
  Layer.provideMerge(Bridge.layer),
  Layer.provideMerge(Layer.mergeAll(Compatibility.layer, Outgoing.layer)),
  Layer.provideMerge(Layer.mergeAll(NostrRelayClient.layer, Verifier.layer))
)

export { ExternalTriggers } from "./relay/triggers/ExternalTriggers.ts"

/** What the rooms of the integrations do when a task is deleted. */
export const integrationsRemovals: ReadonlyArray<TaskRemoval> = [Tracker.taskRemoval]

/** How long the integrations keep what they did. */
export const integrationsRetentions: ReadonlyArray<Retention> = [executionRetention]

/** The kinds of trackers. */
const TrackerDriversLive = Layer.effect(
  TrackerDrivers,
  Effect.all({ github: githubDriver, local: localDriver })
)

/** The services of the integrations. */
export const Integrations = Layer.mergeAll(
  CommunicationLive,
  Hooks.layer,
  Trackers.layer.pipe(Layer.provide(TrackerDriversLive)),
  Triggers.layer
)
