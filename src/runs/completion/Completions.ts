import type * as FileSystem from "@effect/platform/FileSystem"
import { Context, Effect, Layer } from "effect"
import { type ClaimTakenOver, TaskFull, type TaskNotFound } from "../../board/tasks/Errors.ts"
import { StatusRules } from "../../board/tasks/StatusRules.ts"
import { findTask, requireUnfenced } from "../../board/tasks/Units.ts"
import { withdraw } from "../../governance/queue/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Git } from "../../kernel/git/Git.ts"
import { iso, now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import type { AttemptMismatch } from "../attempts/Errors.ts"
import { documentsOf, findAttempt, mismatch, requireUnaltered, resultFor } from "../attempts/Units.ts"
import type { Claims } from "../documents/Claims.ts"
import type { CompletionResult, Exit, TerminalSource } from "../documents/CompletionResult.ts"
import { findOutputs, observeWorkspace } from "../workspace/ObserveWorkspace.ts"
import { workspaceOf } from "../workspace/Workspace.ts"
import { sideEffectsOf } from "./AllowSideEffects.ts"
import { type Completed, type CompletionCall, claimsOf } from "./Completion.ts"
import { claimKey, conclude, type Ending, type Observed } from "./Conclude.ts"
import { type Ended, endAttempt } from "./EndAttempt.ts"
import { CallbackRefused, CompletionConflict } from "./Errors.ts"

/** How an attempt came to its end, seen from whoever ran it. */
export interface Finish {
  readonly claims: Claims | null
  readonly terminalSource: TerminalSource
  readonly exit?: Exit
  /** Why it ended, where nobody claims anything. */
  readonly reason?: string
}

/** The ends of attempts: by callback, by their process, and by whoever stops them. */
export interface CompletionsService {
  /**
   * Takes what an external agent claims of an attempt. The same claim again changes nothing and is answered with the
   * result that stands, after a restart too.
   */
  readonly complete: (
    taskId: string,
    call: CompletionCall,
    by: ActorContext
  ) => Effect.Effect<
    Completed,
    TaskNotFound | ClaimTakenOver | AttemptMismatch | CallbackRefused | CompletionConflict
  >
  /** Ends an attempt in whichever way it came to its end. One that is over already stays as it is. */
  readonly finish: (
    attemptId: string,
    finish: Finish,
    by: ActorContext
  ) => Effect.Effect<Completed | undefined>
}

export class Completions extends Context.Tag("muster/Completions")<Completions, CompletionsService>() {
  static readonly layer = Layer.effect(
    Completions,
    Effect.gen(function* () {
      const storage = yield* Storage
      const rules = yield* StatusRules
      const tools = yield* Effect.context<Git | FileSystem.FileSystem>()

      /** Looks at what the attempt left, before its end is written: what was seen is what the result names. */
      const observe = (attempt: Attempt, { claims, exit }: Finish) =>
        Effect.gen(function* () {
          const { documents, workspace } = yield* storage.read(placeOf(attempt))
          const observedAt = iso(yield* now)
          const envelope = documents?.envelope
          const seen =
            envelope === undefined || attempt.workspace === null
              ? undefined
              : yield* observeWorkspace(attempt, workspace, envelope.workspace.baseline)
          const harness = {
            observedAt,
            ...(exit === undefined ? {} : { exit }),
            ...(seen === undefined ? {} : { workspace: seen.evidence }),
            expectedOutputs:
              envelope === undefined ? [] : yield* findOutputs(envelope, attempt.workspace, claims)
          }
          const policy = envelope?.policy ?? {}
          const sideEffects = seen === undefined ? [] : sideEffectsOf(seen.evidence, seen.branch, policy)
          const observed: Observed = { harness, sideEffects }
          return {
            observed,
            commitPolicy: envelope?.commitPolicy ?? ("allowed" as const),
            phaseEvidence: documents?.launchManifest.phaseEvidence ?? null
          }
        }).pipe(Effect.provide(tools))

      /** Runs a unit that ends an attempt; a task that has no room for its copy is left as it is. */
      const written = <A, E>(
        unit: (onTask: boolean) => Effect.Effect<A, E | TaskFull, Sql>
      ): Effect.Effect<A, Exclude<E, TaskFull>> =>
        Effect.catchIf(storage.write(unit(true)), isTaskFull, () => storage.write(unit(false))).pipe(
          Effect.catchIf(isTaskFull, Effect.die)
        )

      const end = (
        attempt: Attempt,
        ending: Omit<Ending, "attempt" | "at">,
        by: ActorContext,
        onTask: boolean
      ) =>
        Effect.gen(function* () {
          const at = yield* now
          const result = conclude({ ...ending, attempt, at })
          return completedOf(attempt, yield* endAttempt(rules, attempt, result, { at, by, onTask }))
        })

      return Completions.of({
        complete: Effect.fn("Completions.complete")(function* (taskId, call, by) {
          const claims = claimsOf(call)
          const terminalSource = "callback"
          const admitted = yield* storage.read(admit(taskId, call, claims, by))
          if (admitted._tag === "Known") return admitted.completed
          const seen = yield* observe(admitted.attempt, { claims, terminalSource })
          return yield* written((onTask) =>
            Effect.flatMap(admit(taskId, call, claims, by), (again) =>
              again._tag === "Known"
                ? Effect.succeed(again.completed)
                : end(again.attempt, { claims, terminalSource, ...seen }, by, onTask)
            )
          )
        }),
        finish: Effect.fn("Completions.finish")(function* (attemptId, how, by) {
          const found = yield* storage.read(findAttempt(attemptId))
          if (found === undefined || found.state === "ended") return undefined
          const seen = yield* observe(found, how)
          return yield* written((onTask) =>
            Effect.gen(function* () {
              const attempt = yield* findAttempt(attemptId)
              if (attempt === undefined || attempt.state === "ended") return undefined
              // One that waits leaves the queue by the same unit: nobody waits there for an attempt that is over.
              if (attempt.state === "queued") yield* withdraw(attemptId, by)
              return yield* end(attempt, { ...how, ...seen }, by, onTask)
            })
          )
        })
      })
    })
  )
}

const isTaskFull = (error: unknown): error is TaskFull => error instanceof TaskFull

const placeOf = (attempt: Attempt) =>
  Effect.gen(function* () {
    const documents = yield* documentsOf(attempt.id)
    const found = yield* findTask(attempt.taskId)
    const workspace = found === undefined ? ({ _tag: "None" } as const) : yield* workspaceOf(found.task)
    return { documents, workspace }
  })

const completedOf = ({ id, taskId }: Attempt, { gate, result, taskStatus }: Ended): Completed => ({
  taskId,
  attemptId: id,
  status: result.status,
  completionResult: result,
  taskStatus,
  ...(gate === undefined ? {} : { gate: { code: gate.code, details: { ...gate.details } } })
})

/** Whether a claim ends an attempt, or is the one that ended it. */
type Admitted =
  | { readonly _tag: "Ends"; readonly attempt: Attempt }
  | { readonly _tag: "Known"; readonly completed: Completed }

const admit = (
  taskId: string,
  { attemptId, providerRuntimeManifestDigest }: CompletionCall,
  claims: Claims,
  by: ActorContext
): Effect.Effect<
  Admitted,
  TaskNotFound | ClaimTakenOver | AttemptMismatch | CallbackRefused | CompletionConflict,
  Sql
> =>
  Effect.gen(function* () {
    yield* requireUnfenced(taskId, by)
    const attempt = yield* requireUnaltered(taskId, attemptId)
    const { provider, state } = attempt
    if (provider !== "gateway") return yield* new CallbackRefused({ attemptId, provider })
    if (state === "queued" || state === "starting")
      return yield* mismatch({ taskId, attemptId }, "not-running")
    if (attempt.bindings?.runtimeManifest !== providerRuntimeManifestDigest)
      return yield* mismatch({ taskId, attemptId }, "another-manifest")
    if (state === "running") return { _tag: "Ends", attempt }
    const result = yield* resultFor(attemptId)
    return { _tag: "Known", completed: yield* knownOf(attempt, result, claims) }
  })

const knownOf = (attempt: Attempt, result: CompletionResult | undefined, claims: Claims) =>
  Effect.gen(function* () {
    if (result === undefined) return yield* Effect.dieMessage(`Attempt ${attempt.id} ended without a result`)
    if (result.idempotencyKey !== claimKey(claims)) {
      const { completedAt, status } = result
      return yield* new CompletionConflict({ attemptId: attempt.id, status, completedAt })
    }
    const task = yield* findTask(attempt.taskId)
    return completedOf(attempt, { result, taskStatus: task?.task.status ?? null })
  })
