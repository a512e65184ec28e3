import { Effect, Schema } from "effect"
import { isSealed } from "../../kernel/Digest.ts"
import { parseStored } from "../../kernel/Json.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Attempt } from "./Attempt.ts"
import * as AttemptRepo from "./AttemptRepo.ts"
import { AttemptMismatch } from "./Errors.ts"

const isDocument = Schema.is(Schema.Struct({ digest: Schema.String }))

/** An attempt of this task, as calls name it that are bound to one. */
export const requireAttempt = (
  taskId: string,
  attemptId: string
): Effect.Effect<Attempt, AttemptMismatch, Sql> =>
  Effect.gen(function* () {
    const found = yield* AttemptRepo.find(attemptId)
    if (found?.taskId === taskId) return found
    return yield* mismatch({ taskId, attemptId }, "another-task")
  })

/** An attempt of this task that runs now. */
export const requireRunning = (
  taskId: string,
  attemptId: string
): Effect.Effect<Attempt, AttemptMismatch, Sql> =>
  Effect.gen(function* () {
    const attempt = yield* requireUnaltered(taskId, attemptId)
    if (attempt.state === "running") return attempt
    return yield* mismatch({ taskId, attemptId }, attempt.state === "ended" ? "ended" : "not-running")
  })

/**
 * An attempt of this task whose documents are still those that it was launched with (spec 3-runs, Authentication):
 * whoever changed one in the store is not acted for.
 */
export const requireUnaltered = (
  taskId: string,
  attemptId: string
): Effect.Effect<Attempt, AttemptMismatch, Sql> =>
  Effect.gen(function* () {
    const attempt = yield* requireAttempt(taskId, attemptId)
    if (attempt.bindings === null) return attempt
    const documents = yield* AttemptRepo.documentsOf(attemptId)
    const isWhole =
      documents !== undefined &&
      isBound(parseStored<unknown>(documents.runtimeManifest), attempt.bindings.runtimeManifest) &&
      isBound(documents.launchManifest, attempt.bindings.launchManifest) &&
      isBound(documents.envelope, attempt.bindings.envelope)
    return isWhole ? attempt : yield* mismatch({ taskId, attemptId }, "altered")
  })

const isBound = (document: unknown, digest: string): boolean =>
  isDocument(document) && document.digest === digest && isSealed(document)

/** Why a call is not for this attempt, with the one that is active. */
export const mismatch = (
  { attemptId, taskId }: { readonly taskId: string; readonly attemptId: string },
  reason: AttemptMismatch["reason"]
): Effect.Effect<never, AttemptMismatch, Sql> =>
  Effect.flatMap(
    AttemptRepo.activeOf(taskId),
    (active) => new AttemptMismatch({ taskId, attemptId, reason, activeAttemptId: active?.id ?? null })
  )
