import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { Limit } from "../../kernel/Paging.ts"
import { TooManyAttemptsWire } from "../../kernel/TooManyAttempts.ts"
import * as MemberWire from "../members/Wire.ts"
import { GrantTooWideWire } from "../principals/GrantLimit.ts"
import { DeviceSession, DeviceTest, Exchange, Paired, PairingCode, PairingDraft } from "./Device.ts"
import * as Wire from "./Wire.ts"

const WorkspacePath = Schema.Struct({ workspaceId: IdParam })
const DevicePath = Schema.Struct({ workspaceId: IdParam, id: IdParam })

export const DevicesApi = HttpApiGroup.make("devices")
  .add(
    HttpApiEndpoint.get("list", "/identity/workspaces/:workspaceId/device-sessions")
      .setPath(WorkspacePath)
      .setUrlParams(Schema.Struct({ limit: Schema.optional(Limit) }))
      .addSuccess(Schema.Array(DeviceSession))
      .addError(MemberWire.WorkspaceNotFound)
      .annotate(Requires, "admin:manage")
      .annotate(OpenApi.Description, "The newest device sessions of a workspace, whatever became of them.")
  )
  .add(
    HttpApiEndpoint.post("createPairing", "/identity/workspaces/:workspaceId/device-pairing-codes")
      .setPath(WorkspacePath)
      .setPayload(PairingDraft)
      .addSuccess(created(PairingCode))
      .addError(MemberWire.WorkspaceNotFound)
      .addError(MemberWire.MemberNotFound)
      .addError(GrantTooWideWire)
      .addError(Wire.DeviceLimit)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Makes a code that pairs one device within five minutes. Code and link are in this answer and nowhere else: only hashes are stored. The device stands on a membership, the caller's unless `membershipId` names another, and a key of the environment stands for the owner; its role is never above the member's, and scopes that the role does not have are left out. More than the caller holds is a 403 that names what is missing."
      )
  )
  .add(
    HttpApiEndpoint.post("exchange", "/auth/device-pairing/exchange")
      .setPayload(Exchange)
      .addSuccess(created(Paired))
      .addError(Wire.PairingRefused)
      .addError(TooManyAttemptsWire)
      .annotate(Requires, "public")
      .annotate(
        OpenApi.Description,
        "Redeems a pairing payload with its code, once, within five minutes, as it was signed: `payload` is the pairing link, its fragment, or the JSON in that, which has the code in it. The token goes into `Authorization: Bearer` and counts for 90 days. Every failure is audited, without the code. Five attempts a minute from an address and ten for a code, then 429 with `Retry-After`."
      )
  )
  .add(
    HttpApiEndpoint.post("test", "/identity/workspaces/:workspaceId/device-sessions/:id/test")
      .setPath(DevicePath)
      .addSuccess(DeviceTest)
      .addError(MemberWire.WorkspaceNotFound)
      .addError(Wire.DeviceSessionNotFound)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Says what a device session is good for now, as its next request would find it. `degradedReason` names what it lost when its member's role was lowered."
      )
  )
  .add(
    HttpApiEndpoint.post("revoke", "/identity/workspaces/:workspaceId/device-sessions/:id/revoke")
      .setPath(DevicePath)
      .addSuccess(DeviceSession)
      .addError(MemberWire.WorkspaceNotFound)
      .addError(Wire.DeviceSessionNotFound)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Ends a device session with its next request, and closes its WebSockets with 4401. One that was revoked before stays as it is."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Devices")
