import * as HttpApi from "@effect/platform/HttpApi"
import { RepliesApi } from "./communication/replies/Api.ts"
import { HooksApi } from "./hooks/Api.ts"
import { RelayTriggersApi } from "./relay/triggers/Api.ts"
import { TrackersApi } from "./trackers/Api.ts"

/** The groups of the integrations. */
export const IntegrationsApi = HttpApi.make("muster")
  .add(HooksApi)
  .add(RelayTriggersApi)
  .add(RepliesApi)
  .add(TrackersApi)
