import { Context, Effect, Either, Fiber, Layer } from "effect"
import type { TaskNotFound } from "../../board/tasks/Errors.ts"
import { requireTask } from "../../board/tasks/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Issue } from "../../kernel/Failures.ts"
import { type FieldsDenied, requireAdministrator } from "../../kernel/FieldRights.ts"
import { Outbound, type OutboundService } from "../../kernel/outbound/Outbound.ts"
import { defaultLimit, type Page } from "../../kernel/Paging.ts"
import type { Precondition } from "../../kernel/Revision.ts"
import { Secrets, type SecretsService, secretIssues } from "../../kernel/Secrets.ts"
import { nowIso } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import { accessTo, refusal, shown, storedConnection, storedSchema, useOf } from "./Access.ts"
import { ConnectionUpdated, ProfileSaved, SchemaIntrospected } from "./audits/Events.ts"
import type { TrackerAudit } from "./audits/TrackerAudit.ts"
import { newestAudits, record } from "./audits/Units.ts"
import {
  baseUrlIssues,
  type Connection,
  projectIssues,
  secretsMoved,
  type TrackerConnection,
  type TrackerConnectionDraft
} from "./Connection.ts"
import { type CreateRefused, createItem, type Means, repair } from "./CreateItem.ts"
import type { CreationPreview, CreationRequest, ProfileReport, TrackerCreation } from "./Creation.ts"
import { requireProfile, standingOf } from "./CreationPlan.ts"
import { TrackerDrivers } from "./Driver.ts"
import {
  TrackerInvalid,
  TrackerProfileLimitReached,
  type TrackerProfileNotFound,
  TrackerSchemaNotFound,
  type TrackerUnavailable
} from "./Errors.ts"
import * as ProfileRepo from "./ProfileRepo.ts"
import { type Draft, draftOf } from "./profiles/Payload.ts"
import { profileLimit, type TrackerProfile, type TrackerProfileDraft } from "./profiles/Profile.ts"
import { profileIssues } from "./profiles/ProfileRules.ts"
import type { Introspection, TrackerSchema } from "./profiles/TrackerSchema.ts"
import { reasonOf } from "./Reasons.ts"

/** The tracker of the board: the connection to it, its schema, and the profiles by which tasks become items. */
export interface TrackersService {
  readonly connection: Effect.Effect<TrackerConnection>
  readonly connect: (
    draft: TrackerConnectionDraft,
    by: ActorContext
  ) => Effect.Effect<TrackerConnection, TrackerInvalid | FieldsDenied>
  readonly schema: Effect.Effect<TrackerSchema, TrackerSchemaNotFound>
  readonly introspect: (
    introspection: Introspection,
    by: ActorContext
  ) => Effect.Effect<TrackerSchema, TrackerInvalid | TrackerUnavailable>
  readonly profiles: Effect.Effect<ReadonlyArray<TrackerProfile>>
  readonly saveProfile: (
    id: string,
    draft: TrackerProfileDraft,
    by: ActorContext
  ) => Effect.Effect<TrackerProfile, TrackerInvalid | TrackerProfileLimitReached>
  readonly validate: (id: string) => Effect.Effect<ProfileReport, TrackerProfileNotFound>
  /** Shows what a create would send. It calls nobody and writes nothing. */
  readonly preview: (
    id: string,
    preview: CreationPreview
  ) => Effect.Effect<Draft, TrackerProfileNotFound | TaskNotFound>
  /** Makes the item of a task, once for a task and a profile. It goes on when the caller no longer waits. */
  readonly create: (
    id: string,
    request: CreationRequest,
    precondition: Precondition,
    by: ActorContext
  ) => Effect.Effect<TrackerCreation, CreateRefused>
  readonly audits: (page: {
    readonly limit?: number | undefined
    readonly offset?: number | undefined
  }) => Effect.Effect<Page<TrackerAudit>>
}

export class Trackers extends Context.Tag("muster/Trackers")<Trackers, TrackersService>() {
  static readonly layer = Layer.scoped(
    Trackers,
    Effect.gen(function* () {
      const storage = yield* Storage
      const secrets = yield* Secrets
      const outbound = yield* Outbound
      const scope = yield* Effect.scope
      const drivers = yield* TrackerDrivers
      const means: Means = { storage, secrets, drivers, underWay: new Set() }
      yield* repair(storage)

      return Trackers.of({
        connection: Effect.flatMap(storage.read(storedConnection.read), (found) =>
          shown(found, secrets.find)
        ),

        connect: Effect.fn("Trackers.connect")(function* (draft, by) {
          const issues = connectionIssues(draft, outbound, secrets)
          return yield* shown(yield* storage.write(saveConnection(draft, issues, by)), secrets.find)
        }),

        schema: Effect.filterOrFail(
          storage.read(storedSchema.read),
          (found) => found !== undefined,
          () =>
            new TrackerSchemaNotFound({ remedy: "Read one with POST /api/integrations/trackers/introspect" })
        ),

        introspect: Effect.fn("Trackers.introspect")(function* ({ project, provider }, by) {
          const issues = projectIssues(provider, project)
          if (issues.length > 0) return yield* new TrackerInvalid({ issues })
          const access = yield* storage.read(accessTo(provider, project, secrets.find))
          const content = yield* Effect.mapError(drivers[provider].introspect(access), (failure) =>
            refusal(provider, failure)
          )
          const schema = { provider, project, introspectedAt: yield* nowIso, ...content }
          return yield* storage.write(saveSchema(schema, by))
        }),

        profiles: storage.read(ProfileRepo.all),
        saveProfile: Effect.fn("Trackers.saveProfile")((id, draft, by) =>
          storage.write(saveProfile(id, draft, by))
        ),
        validate: (id) => storage.read(validate(id)),
        preview: (id, { taskId }) => storage.read(preview(id, taskId, secrets)),
        create: Effect.fn("Trackers.create")((id, request, precondition, by) =>
          Effect.flatMap(Effect.forkIn(createItem(id, request, precondition, by, means), scope), Fiber.join)
        ),
        audits: ({ limit = defaultLimit, offset = 0 }) => storage.read(newestAudits(limit, offset))
      })
    })
  )
}

const connectionIssues = (
  { baseUrl, credentialRef, project, provider }: TrackerConnectionDraft,
  outbound: OutboundService,
  secrets: SecretsService
): ReadonlyArray<Issue> => [
  ...projectIssues(provider, project),
  ...secretIssues(secrets, "credentialRef", credentialRef, useOf({ provider, baseUrl })),
  ...(baseUrl === undefined || provider === "local"
    ? []
    : Either.match(outbound.check(baseUrl), {
        onLeft: ({ message }) => [{ path: "baseUrl", message }],
        onRight: (url) => baseUrlIssues(url, credentialRef !== undefined)
      }))
]

const saveConnection = (draft: TrackerConnectionDraft, issues: ReadonlyArray<Issue>, by: ActorContext) =>
  Effect.gen(function* () {
    yield* requireAdministrator(by, secretsMoved(draft, yield* storedConnection.read))
    if (issues.length > 0) return yield* new TrackerInvalid({ issues })
    const { baseUrl, credentialRef, enabled = true, project, provider } = draft
    const saved: Connection = {
      provider,
      // The sample tracker is built in and has no address.
      ...(baseUrl === undefined || provider === "local" ? {} : { baseUrl: baseUrl.replace(/\/+$/, "") }),
      project,
      enabled,
      ...(credentialRef === undefined ? {} : { credentialRef }),
      updatedAt: yield* nowIso,
      updatedBy: by.name
    }
    yield* storedConnection.write(saved)
    yield* record(new ConnectionUpdated({ resourceId: provider, provider, project }), by)
    return saved
  })

const saveSchema = (schema: TrackerSchema, by: ActorContext) =>
  Effect.gen(function* () {
    const { project, provider } = schema
    yield* storedSchema.write(schema)
    yield* record(new SchemaIntrospected({ resourceId: provider, provider, project }), by)
    return schema
  })

const saveProfile = (id: string, draft: TrackerProfileDraft, by: ActorContext) =>
  Effect.gen(function* () {
    const issues = [
      ...(draft.id === id ? [] : [{ path: "id", message: "Expected the id that stands in the path" }]),
      ...profileIssues(draft, yield* storedSchema.read)
    ]
    if (issues.length > 0) return yield* new TrackerInvalid({ issues })
    const before = yield* ProfileRepo.find(id)
    if (before === undefined && (yield* ProfileRepo.count) >= profileLimit) {
      return yield* new TrackerProfileLimitReached({ limit: profileLimit })
    }
    const at = yield* nowIso
    const profile: TrackerProfile = {
      ...draft,
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
      updatedBy: by.name
    }
    yield* ProfileRepo.save(profile)
    yield* record(new ProfileSaved({ resourceId: id, provider: profile.provider }), by, { profileId: id })
    return profile
  })

const validate = (id: string) =>
  Effect.gen(function* () {
    const profile = yield* requireProfile(id)
    const schema = yield* storedSchema.read
    const errors = profileIssues(profile, schema)
    const warnings = standingOf(profile, schema?.capabilities.create !== false)
    return { valid: errors.length === 0, errors, warnings }
  })

const preview = (id: string, taskId: string, secrets: SecretsService) =>
  Effect.gen(function* () {
    const profile = yield* requireProfile(id)
    const { task } = yield* requireTask(taskId)
    const schema = yield* storedSchema.read
    const draft = draftOf(profile, schema, task)
    const access = yield* Effect.either(accessTo(profile.provider, draft.payload.project, secrets.find))
    return {
      payload: draft.payload,
      errors: [
        ...standingOf(profile, schema?.capabilities.create !== false),
        ...(task.archived ? [{ path: "taskId", message: "The task is archived: restore it first" }] : []),
        ...draft.errors
      ],
      warnings: Either.match(access, {
        onLeft: ({ reason }) => [...draft.warnings, { path: "connection", message: reasonOf(reason) }],
        onRight: () => draft.warnings
      })
    }
  })
