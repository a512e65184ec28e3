import * as HttpApi from "@effect/platform/HttpApi"
import { CommunicationApi } from "./communication/Api.ts"
import { HooksApi } from "./hooks/Api.ts"
import { RelayChannelsApi } from "./relay/channels/Api.ts"
import { HarnessCompatibilityApi } from "./relay/compatibility/Api.ts"
import { RelayDefinitionsApi } from "./relay/definitions/Api.ts"
import { RelayTriggersApi } from "./relay/triggers/Api.ts"
import { TrackersApi } from "./trackers/Api.ts"

/** The groups of the integrations. */
export const IntegrationsApi = HttpApi.make("muster")
  .add(CommunicationApi)
  .add(HarnessCompatibilityApi)
  .add(HooksApi)
  .add(RelayChannelsApi)
  .add(RelayDefinitionsApi)
  .add(RelayTriggersApi)
  .add(TrackersApi)
