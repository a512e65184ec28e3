import { Layer } from "effect"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Seeing.ts"
import { Adapters } from "./communication/Adapters.ts"
import { RepliesHttp } from "./communication/replies/Http.ts"
import { Replies } from "./communication/replies/Replies.ts"
import { Hooks } from "./hooks/Hooks.ts"
import { HooksHttp } from "./hooks/Http.ts"
import { ExternalTriggers } from "./relay/triggers/ExternalTriggers.ts"
import { RelayTriggersHttp } from "./relay/triggers/Http.ts"
import { Triggers } from "./relay/triggers/Triggers.ts"
import { Teamchat } from "./teamchat/Teamchat.ts"
import { TrackersHttp } from "./trackers/Http.ts"
import { Trackers } from "./trackers/Trackers.ts"

/** The handlers of the integrations. */
export const IntegrationsHttp = Layer.mergeAll(
  HooksHttp.pipe(seeing(Authorization, Hooks)),
  RelayTriggersHttp.pipe(seeing(Authorization, Triggers)),
  RepliesHttp.pipe(seeing(Authorization, Replies)),
  TrackersHttp.pipe(seeing(Authorization, Trackers))
)

/** The services of the integrations. */
export const Integrations = Layer.mergeAll(
  Adapters.layer,
  Hooks.layer,
  Replies.layer,
  Teamchat.layer,
  Trackers.layer,
  Triggers.layer.pipe(Layer.provide(ExternalTriggers.waiting))
)
