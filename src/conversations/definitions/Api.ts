import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import * as ProfileWire from "../../board/agent-profiles/Wire.ts"
import * as RosterWire from "../../board/team-roster/Wire.ts"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { AdapterIdParam } from "../adapters/Adapter.ts"
import * as AdapterWire from "../adapters/Wire.ts"
import { DefinitionCreated, DefinitionImported, ImportRequest } from "./Import.ts"
import { DefinitionLink } from "./Link.ts"
import { DefinitionList } from "./ListedDefinition.ts"
import { DefinitionPreview, PreviewRequest } from "./Preview.ts"
import * as Wire from "./Wire.ts"

const at = "/integrations/communication/adapters/:adapterId/relay/definitions" as const
const AdapterPath = Schema.Struct({ adapterId: AdapterIdParam })

export const RelayDefinitionsApi = HttpApiGroup.make("relayDefinitions")
  .add(
    HttpApiEndpoint.get("list", at)
      .setPath(AdapterPath)
      .addSuccess(DefinitionList)
      .addError(AdapterWire.AdapterNotFound)
      .addError(AdapterWire.AdapterOfOtherKind)
      .addError(Wire.DefinitionsUnavailable)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "The public definitions of personas and teams that the relay shows to the bridge, newest first, one for an author, a kind and a `d` tag. They are read now, and their signatures are checked. One that holds what is never imported is listed with the fields that keep it out, without their values, and an older one is not used in its place. `limit` says how many events are read; `truncated` that there may be more. A relay that was not tested, or can't be asked, is a 409 with its `reasonCode`."
      )
  )
  .add(
    HttpApiEndpoint.get("links", `${at}/links`)
      .setPath(AdapterPath)
      .addSuccess(Schema.Array(DefinitionLink))
      .addError(AdapterWire.AdapterNotFound)
      .addError(AdapterWire.AdapterOfOtherKind)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "What was imported through this adapter, and how it stands: `current` while the relay has the event that it was imported from, `changed` when it has another one, `missing` when it has none, `unavailable` when it can't be asked. Nothing follows the relay by itself: a refresh is an import."
      )
  )
  .add(
    HttpApiEndpoint.post("preview", `${at}/preview`)
      .setPath(AdapterPath)
      .setPayload(PreviewRequest)
      .addSuccess(DefinitionPreview)
      .addError(AdapterWire.AdapterNotFound)
      .addError(AdapterWire.AdapterOfOtherKind)
      .addError(Wire.DefinitionsUnavailable)
      .addError(Wire.DefinitionNotFound)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "Shows what an import would do, and writes nothing: the event without its signature, what becomes of each field, the profile or the roster that would be there, what is in the way, and the two values that the import has to bring back. Without `targetId` it is about what the definition is linked to, or about what would be created. Of a definition that is rejected neither tags nor content are shown."
      )
  )
  .add(
    HttpApiEndpoint.post("import", `${at}/import`)
      .setPath(AdapterPath)
      .setPayload(ImportRequest)
      .addSuccess(DefinitionCreated)
      .addSuccess(DefinitionImported)
      .addError(AdapterWire.AdapterNotFound)
      .addError(AdapterWire.AdapterOfOtherKind)
      .addError(ProfileWire.AgentProfileLimitReached)
      .addError(RosterWire.RosterLimitReached)
      .addError(Wire.DefinitionsUnavailable)
      .addError(Wire.DefinitionNotFound)
      .addError(Wire.DefinitionNotImportable)
      .addError(Wire.DefinitionTargetNotFound)
      .addError(Wire.DefinitionSourceChanged)
      .addError(Wire.DefinitionTargetChanged)
      .addError(Wire.DefinitionCollides)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Carries out what a preview showed. `create` makes the profile `relay-<slug>`, or the roster `relay-team-<slug>`, disabled (201). `link` ties a profile or roster that is there to the definition and changes nothing else of it; `refresh` replaces what belongs to the source, and leaves `enabled` as it is; `skip` writes nothing (200). What changed since the preview, here or at the relay, is a 409, and so is what is in the way. Personas of a team that are not imported yet do not stop it: they stay `unresolved` until a refresh. Nothing is started, enabled, routed or fetched."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Relay definitions")
