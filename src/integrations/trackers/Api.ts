import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import * as TaskWire from "../../board/tasks/Wire.ts"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { FieldsDeniedWire } from "../../kernel/FieldRights.ts"
import { Limit } from "../../kernel/Paging.ts"
import * as Revision from "../../kernel/Revision.ts"
import { integerText } from "../../kernel/Text.ts"
import { TrackerAudit } from "./audits/TrackerAudit.ts"
import { TrackerConnection, TrackerConnectionDraft } from "./Connection.ts"
import { CreationPreview, CreationRequest, ProfileReport, TrackerCreation } from "./Creation.ts"
import { DryRun } from "./profiles/Payload.ts"
import { ProfileIdParam, TrackerProfile, TrackerProfileDraft } from "./profiles/Profile.ts"
import { Introspection, TrackerSchema } from "./profiles/TrackerSchema.ts"
import * as Wire from "./Wire.ts"

const ProfilePath = Schema.Struct({ profileId: ProfileIdParam })

/** Which events of the audit to list. */
const AuditPage = Schema.Struct({
  limit: Schema.optional(Limit),
  offset: Schema.optional(
    integerText(0, 10_000).annotations({ description: "How many of the newest to pass over" })
  )
})

const at = "/integrations/trackers"

export const TrackersApi = HttpApiGroup.make("trackers")
  .add(
    HttpApiEndpoint.get("connection", `${at}/connection`)
      .addSuccess(TrackerConnection)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "Where the tracker of the board is; `configured` is false until somebody has set it. A credential is named and never shown: `credentialAvailable` says whether the server has it."
      )
  )
  .add(
    HttpApiEndpoint.put("connect", `${at}/connection`)
      .setPayload(TrackerConnectionDraft)
      .addSuccess(TrackerConnection)
      .addError(Wire.TrackerInvalid)
      .addError(FieldsDeniedWire)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Sets the connection as a whole: whoever changes the address names the credential again, or it is gone. Providers are `github` (GitHub, or what has its REST interface at `baseUrl`, https://api.github.com when absent; `project` is owner/name) and `local` (a sample tracker that is built in and has no address). The credential stays in a variable of the server that SERVICE_SECRETS lists, and `credentialRef` is `env:` and its name; a credential itself is a 400 and is stored nowhere. Another `credentialRef` than there is, and another address for the one that there is, take admin:manage too: else it is a 403 that names the field. A variable that SERVICE_SECRETS binds to other hosts, or that serves relay adapters alone, is a 400. With a credential the address must be https, http only for this machine. `enabled` is true when absent. Nothing is called yet."
      )
  )
  .add(
    HttpApiEndpoint.get("schema", `${at}/schema`)
      .addSuccess(TrackerSchema)
      .addError(Wire.TrackerSchemaNotFound)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "The latest schema, in one form for all providers; 404 before the first introspection."
      )
  )
  .add(
    HttpApiEndpoint.post("introspect", `${at}/introspect`)
      .setPayload(Introspection)
      .addSuccess(TrackerSchema)
      .addError(Wire.TrackerInvalid)
      .addError(Wire.TrackerUnavailable)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Reads the form of a project over the connection and keeps it as the latest schema, with status 200; `local` needs no connection. At GitHub milestones are the iterations, labels that begin with `area` the areas, labels that begin with `priority` and P0 to P4 the priorities; up to 1,000 members of each list are read, and `incomplete` names the lists that go on. A tracker that does not do it is a 409 with `details.reason` and `details.retryable`."
      )
  )
  .add(
    HttpApiEndpoint.get("profiles", `${at}/profiles`)
      .addSuccess(Schema.Array(TrackerProfile))
      .annotate(Requires, "settings:read")
      .annotate(OpenApi.Description, "All profiles, in the order of their creation. A board has at most 100.")
  )
  .add(
    HttpApiEndpoint.put("saveProfile", `${at}/profiles/:profileId`)
      .setPath(ProfilePath)
      .setPayload(TrackerProfileDraft)
      .addSuccess(TrackerProfile)
      .addError(Wire.TrackerInvalid)
      .addError(Wire.TrackerProfileLimitReached)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Stores how tasks become items, as a whole, with status 200. `id` must equal the one in the path. Everything is checked against the latest schema: type, paths, field ids, literal values, and that every field that the tracker requires is mapped; without a schema it is a 400 too. A text field takes anything; an option or a list takes what the tracker allows, whatever its case, also behind a prefix (`high` is `priority: high`)."
      )
  )
  .add(
    HttpApiEndpoint.post("validate", `${at}/profiles/:profileId/validate`)
      .setPath(ProfilePath)
      .addSuccess(ProfileReport)
      .addError(Wire.TrackerProfileNotFound)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "Checks a profile against the latest schema, which may have changed since it was stored. It is a report: faults come with status 200 and `valid: false`."
      )
  )
  .add(
    HttpApiEndpoint.post("preview", `${at}/profiles/:profileId/dry-run-create`)
      .setPath(ProfilePath)
      .setPayload(CreationPreview)
      .addSuccess(DryRun)
      .addError(Wire.TrackerProfileNotFound)
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "Shows what a create would send, without secrets. It calls nobody and writes nothing. With `errors` a create would be refused; `warnings` say what is left out or cut."
      )
  )
  .add(
    HttpApiEndpoint.post("create", `${at}/profiles/:profileId/create`)
      .setPath(ProfilePath)
      .setHeaders(Revision.Headers)
      .setPayload(CreationRequest)
      .addSuccess(created(TrackerCreation))
      .addError(Wire.TrackerInvalid)
      .addError(Wire.TrackerProfileNotFound)
      .addError(Wire.TrackerUnavailable)
      .addError(Wire.TrackerCreateUnderWay)
      .addError(Wire.TrackerItemExists)
      .addError(TaskWire.WriteRefused)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Makes an item for a task at the tracker, once for a task and a profile: a repeat is a 409 that names the item, also after somebody has taken it off the task. The item is added to the task's `externalWorkItems` with `approvedBy`, which is kept beside who sent the request. A profile that is switched off, or a task that it does not fit, is a 400. A tracker that does not do it is a 409 with `details.reason`, `details.retryable` and, when it says so, `details.retryAfterSeconds`. A precondition is one on the task, and holds before the tracker is called. With `details.outcome: unknown` the item may be there: the text of each item carries a marker, and the next create looks for it before it makes another one, which it does a minute after the last call at the earliest. A create goes on when whoever asked for it no longer waits, and after a crash the next start or the next create finishes it."
      )
  )
  .add(
    HttpApiEndpoint.get("audits", `${at}/audits`)
      .setUrlParams(AuditPage)
      .addSuccess(Schema.Array(TrackerAudit))
      .annotate(Requires, "settings:read")
      .annotate(
        OpenApi.Description,
        "What was done with trackers, newest first: who, when, which task, profile and item, and what came of it. Metadata alone, no texts and no credentials. `X-Total-Count` says how many there are; the newest 10,000 are kept."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Trackers")
