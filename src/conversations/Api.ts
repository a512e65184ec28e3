import * as HttpApi from "@effect/platform/HttpApi"
import { RelayChannelsApi } from "./channels/Api.ts"
import { CommunicationApi } from "./communication/Api.ts"
import { HarnessCompatibilityApi } from "./compatibility/Api.ts"
import { RelayDefinitionsApi } from "./definitions/Api.ts"
import { RelayTriggersApi } from "./triggers/Api.ts"

/** The groups of the conversations. */
export const ConversationsApi = HttpApi.make("muster")
  .add(CommunicationApi)
  .add(HarnessCompatibilityApi)
  .add(RelayChannelsApi)
  .add(RelayDefinitionsApi)
  .add(RelayTriggersApi)
