import { randomBytes, timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { sha256 } from "../../kernel/Digest.ts"
import { newId } from "../../kernel/Ids.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { type DatabasePosture, Storage } from "../../storage/Storage.ts"
import type { JournalOperation } from "../../storage/sqlite/JournalMode.ts"
import * as JournalOperations from "../../storage/sqlite/JournalOperations.ts"
import { hostDigestOf } from "../../storage/sqlite/Opening.ts"
import {
  JournalChangeRefused,
  JournalOperationNotFound,
  JournalOverrideNotFound,
  JournalPreviewNotFound,
  JournalRequestInvalid
} from "./Errors.ts"
import { JournalChangePreviewed, JournalChangeScheduled, JournalOverrideRevoked } from "./Events.ts"
import type {
  JournalApply,
  JournalOperationReport,
  JournalPreview,
  JournalPreviewRequest,
  JournalStatus
} from "./JournalRequest.ts"
import {
  bodyFaults,
  operationReport,
  overrideNeeded,
  placeFaults,
  restartRequired,
  risksOf
} from "./JournalRules.ts"
import { journalModeOf, overrideReport } from "./Posture.ts"
import * as PreviewRepo from "./PreviewRepo.ts"
import type { JournalReason } from "./SqliteStorage.ts"

/** How long a preview can be applied. */
const previewLifeMs = 600_000

/**
 * Changes SQLite's journal mode (spec 1-core, Journal-mode maintenance): a preview, an apply that schedules, and the
 * change itself at the next start, before the database is opened for work (storage/sqlite/Opening.ts).
 */
export interface JournalMaintenanceService {
  readonly preview: (
    request: JournalPreviewRequest,
    by: ActorContext
  ) => Effect.Effect<JournalPreview, JournalRequestInvalid | JournalChangeRefused>
  readonly apply: (
    request: JournalApply,
    by: ActorContext
  ) => Effect.Effect<
    JournalOperationReport,
    JournalRequestInvalid | JournalChangeRefused | JournalPreviewNotFound
  >
  readonly status: Effect.Effect<JournalStatus>
  readonly operation: (id: string) => Effect.Effect<JournalOperationReport, JournalOperationNotFound>
  /** Withdraws the override, and the change that waits for the next start. The mode stays until the next start. */
  readonly revoke: (by: ActorContext) => Effect.Effect<JournalStatus, JournalOverrideNotFound>
}

export class JournalMaintenance extends Context.Tag("muster/JournalMaintenance")<
  JournalMaintenance,
  JournalMaintenanceService
>() {
  static readonly layer = Layer.effect(
    JournalMaintenance,
    Effect.map(Storage, ({ posture, read, write }) =>
      JournalMaintenance.of({
        preview: Effect.fn("JournalMaintenance.preview")((request, by) =>
          write(previewChange(request, posture, by))
        ),
        apply: Effect.fn("JournalMaintenance.apply")(function* (request, by) {
          if (request.confirm !== request.previewId) {
            const issues = [{ path: "confirm", message: "Expected the previewId" }]
            return yield* new JournalRequestInvalid({ issues, reasonCodes: [] })
          }
          return yield* write(applyPreview(request, posture, by))
        }),
        status: read(statusOf(posture)),
        operation: Effect.fn("JournalMaintenance.operation")(function* (id) {
          const operation = yield* read(JournalOperations.find(id))
          if (operation === undefined) return yield* new JournalOperationNotFound({ operationId: id })
          return operationReport(operation, yield* now)
        }),
        revoke: Effect.fn("JournalMaintenance.revoke")((by) => write(revokeOverride(posture, by)))
      })
    )
  )
}

const refuse = (reasonCodes: ReadonlyArray<JournalReason>) => new JournalChangeRefused({ reasonCodes })

const previewChange = (request: JournalPreviewRequest, posture: DatabasePosture, by: ActorContext) =>
  Effect.gen(function* () {
    const at = yield* now
    const needed = overrideNeeded(request, posture)
    const faults = needed ? bodyFaults(request, at) : []
    if (faults.length > 0) {
      return yield* new JournalRequestInvalid({
        issues: faults.map(({ message, path }) => ({ path, message })),
        reasonCodes: faults.map(({ reasonCode }) => reasonCode)
      })
    }
    const against = placeFaults(posture, needed)
    if (against.length > 0) return yield* refuse(against)
    const id = yield* newId("preview")
    const token = yield* Effect.sync(() => randomBytes(32).toString("base64url"))
    const { expiresAt = 0, overrideReason = "", targetMode } = request
    yield* PreviewRepo.insert({
      id,
      tokenHash: sha256(token),
      expiresAt: at + previewLifeMs,
      used: false,
      targetMode,
      ...(needed
        ? {
            override: {
              mode: targetMode,
              reason: overrideReason,
              expiresAt,
              hostDigest: hostDigestOf(posture.environment) ?? "",
              grantedBy: by.name
            }
          }
        : {})
    })
    yield* Journal.record(
      new JournalChangePreviewed({ resourceId: id, targetMode, overrideNeeded: needed }),
      by
    )
    const currentMode = journalModeOf(posture)
    return {
      previewId: id,
      previewToken: token,
      tokenExpiresAt: iso(at + previewLifeMs),
      targetMode,
      currentMode,
      changesMode: currentMode !== targetMode,
      overrideNeeded: needed,
      ...(needed ? { overrideExpiresAt: iso(expiresAt) } : {}),
      filesystemType: posture.filesystemType,
      filesystemPosture: posture.filesystemPosture,
      restartRequired: true as const,
      risks: risksOf(targetMode, posture)
    }
  })

const sameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other))

const applyPreview = (request: JournalApply, posture: DatabasePosture, by: ActorContext) =>
  Effect.gen(function* () {
    const at = yield* now
    const preview = yield* PreviewRepo.find(request.previewId)
    if (preview === undefined) return yield* new JournalPreviewNotFound({ previewId: request.previewId })
    if (!sameHash(preview.tokenHash, sha256(request.previewToken))) {
      return yield* refuse(["preview-token-wrong"])
    }
    if (preview.used) return yield* refuse(["preview-used"])
    if (preview.expiresAt <= at) return yield* refuse(["preview-expired"])
    const against = placeFaults(posture, preview.override !== undefined)
    if (against.length > 0) return yield* refuse(against)
    if (preview.override !== undefined && preview.override.expiresAt <= at) return yield* refuse(["expired"])
    const waiting = yield* JournalOperations.scheduled
    if (waiting !== undefined) {
      if (operationReport(waiting, at).state === "scheduled") return yield* refuse(["operation-scheduled"])
      yield* JournalOperations.update({
        ...waiting,
        state: "expired",
        reasonCodes: ["expired"],
        settledAt: at
      })
    }
    const id = yield* newId("journal")
    const operation: JournalOperation = {
      id,
      targetMode: preview.targetMode,
      fromMode: journalModeOf(posture),
      state: "scheduled",
      reasonCodes: [],
      requestedBy: by.name,
      requestedAt: at,
      ...(preview.override === undefined ? {} : { override: { ...preview.override, operationId: id } })
    }
    yield* PreviewRepo.markUsed(preview.id)
    yield* JournalOperations.insert(operation)
    yield* Journal.record(
      new JournalChangeScheduled({
        resourceId: id,
        targetMode: operation.targetMode,
        previewId: preview.id
      }),
      by
    )
    return operationReport(operation, at)
  })

const revokeOverride = (posture: DatabasePosture, by: ActorContext) =>
  Effect.gen(function* () {
    const at = yield* now
    const waiting = yield* JournalOperations.scheduled
    const override = yield* JournalOperations.override
    const revoked = override === undefined || override.revokedAt !== undefined ? undefined : override
    if (waiting === undefined && revoked === undefined) return yield* new JournalOverrideNotFound()
    if (waiting !== undefined) {
      yield* JournalOperations.update({
        ...waiting,
        state: "refused",
        reasonCodes: ["revoked"],
        settledAt: at
      })
    }
    if (revoked !== undefined) yield* JournalOperations.writeOverride({ ...revoked, revokedAt: at })
    yield* Journal.record(
      new JournalOverrideRevoked({
        resourceId: revoked?.operationId ?? waiting?.id ?? "",
        withdrawnOperationId: waiting?.id ?? null
      }),
      by
    )
    return yield* statusOf(posture)
  })

const statusOf = (posture: DatabasePosture): Effect.Effect<JournalStatus, never, Sql> =>
  Effect.gen(function* () {
    const at = yield* now
    const scheduled = yield* JournalOperations.scheduled
    const override = yield* JournalOperations.override
    const last = yield* JournalOperations.latestSettled
    const report = (operation: JournalOperation | undefined) =>
      operation === undefined ? null : operationReport(operation, at)
    return {
      journalMode: journalModeOf(posture),
      restartRequired: restartRequired(posture, scheduled, override, at),
      scheduled: report(scheduled),
      override: override === undefined ? null : overrideReport(override, posture, at),
      lastOperation: report(last)
    }
  })
