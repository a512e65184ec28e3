import { Context, Effect, Layer, Schema } from "effect"
import { AgentProvider } from "../../board/agents-config/AgentConfig.ts"
import type { ClaimTakenOver, TaskNotFound } from "../../board/tasks/Errors.ts"
import { requireTask, requireUnfenced } from "../../board/tasks/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { parseStored } from "../../kernel/Json.ts"
import { iso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { type Attempt, statusOf } from "../attempts/Attempt.ts"
import type { AttemptMismatch } from "../attempts/Errors.ts"
import { AttemptMessaged } from "../attempts/Events.ts"
import {
  activeOf,
  documentsOf,
  latestOf,
  mismatch,
  renewCapacity,
  requireAttempt,
  requireRunning,
  requireUnaltered,
  resultFor
} from "../attempts/Units.ts"
import { Completions } from "../completion/Completions.ts"
import { RunJournals } from "../journal/RunJournals.ts"
import { ManagedRuns } from "../managed/ManagedRuns.ts"
import type { RuntimeManifest } from "../manifests/RuntimeManifest.ts"
import { recordUsage, usageOf } from "../usage/Units.ts"
import {
  controlsOf,
  type MessageCall,
  type MessageTaken,
  type RunStatus,
  type Stopped,
  type TokensCall,
  type TokensCounted
} from "./Control.ts"

/** What is done to a run from outside, and where it stands (spec 3-runs, Run observation and control). */
export interface RunControlService {
  /** The attempt that is named, else the active one, else the last. */
  readonly status: (
    taskId: string,
    attemptId: string | undefined
  ) => Effect.Effect<RunStatus, TaskNotFound | AttemptMismatch>
  /** Ends an attempt that waits or runs as interrupted. Once it was stopped it is answered the same again. */
  readonly stop: (
    taskId: string,
    attemptId: string,
    by: ActorContext
  ) => Effect.Effect<Stopped, TaskNotFound | ClaimTakenOver | AttemptMismatch>
  readonly tokens: (
    taskId: string,
    call: TokensCall,
    by: ActorContext
  ) => Effect.Effect<typeof TokensCounted.Type, TaskNotFound | ClaimTakenOver | AttemptMismatch>
  readonly message: (
    taskId: string,
    call: MessageCall,
    by: ActorContext
  ) => Effect.Effect<MessageTaken, TaskNotFound | ClaimTakenOver | AttemptMismatch>
}

export class RunControl extends Context.Tag("muster/RunControl")<RunControl, RunControlService>() {
  static readonly layer = Layer.effect(
    RunControl,
    Effect.gen(function* () {
      const storage = yield* Storage
      const completions = yield* Completions
      const managed = yield* ManagedRuns
      const journals = yield* RunJournals
      return RunControl.of({
        status: Effect.fn("RunControl.status")((taskId, attemptId) =>
          storage.read(statusFor(taskId, attemptId))
        ),
        stop: Effect.fn("RunControl.stop")(function* (taskId, attemptId, by) {
          const known = yield* storage.read(stoppable(taskId, attemptId, by))
          if (known !== undefined) return known
          if (yield* managed.stop(attemptId, by)) {
            const outcome = yield* storage.read(stoppable(taskId, attemptId, by))
            if (outcome !== undefined) return outcome
          }
          const ended = yield* completions.finish(attemptId, { claims: null, terminalSource: "stop" }, by)
          // Somebody else ended it meanwhile: then it is told what that was.
          if (ended !== undefined) return stopped(taskId, attemptId, ended.status)
          const outcome = yield* storage.read(stoppable(taskId, attemptId, by))
          return outcome ?? (yield* Effect.dieMessage(`Attempt ${attemptId} can't be stopped`))
        }),
        tokens: Effect.fn("RunControl.tokens")(function* (taskId, { attemptId, usage }, by) {
          const unit = Effect.gen(function* () {
            yield* requireUnfenced(taskId, by)
            const attempt = yield* requireRunning(taskId, attemptId)
            yield* renewCapacity(attempt)
            yield* recordUsage(attempt, usage, by)
            return { success: true as const, taskId, attemptId, usage: yield* usageOf(attemptId) }
          })
          return yield* storage.write(unit)
        }),
        message: Effect.fn("RunControl.message")(function* (taskId, { actor, attemptId, message }, by) {
          const messageId = yield* newId("message")
          const unit = Effect.gen(function* () {
            yield* requireUnfenced(taskId, by)
            const { provider } = yield* requireRunning(taskId, attemptId)
            const reason = undelivered(provider)
            yield* Journal.record(
              new AttemptMessaged({ resourceId: attemptId, taskId, messageId, delivered: false }),
              by
            )
            return { taskId, attemptId, messageId, delivered: false, reason }
          })
          // What was taken is found among the events, though whoever said it goes away meanwhile.
          return yield* Effect.uninterruptible(
            Effect.tap(storage.write(unit), ({ delivered, reason }) => {
              const payload = { messageId, actor: actor ?? by.name, text: message, delivered, reason }
              return Effect.orDie(journals.append(attemptId, [{ kind: "user_message", payload }]))
            })
          )
        })
      })
    })
  )
}

/** Why a message did not reach an agent: who works elsewhere asks for events, a program has read all that it reads. */
const undelivered = (provider: string): string =>
  provider === "gateway"
    ? "The run has no interactive stream: its agent finds the message among the run's events"
    : "The run has no interactive stream: its agent reads nothing after its prompt"

const stopped = (taskId: string, attemptId: string, status: Stopped["status"]): Stopped => ({
  success: true,
  taskId,
  attemptId,
  status
})

/** The outcome of an attempt that was stopped already; undefined for one that can be stopped now. */
const stoppable = (
  taskId: string,
  attemptId: string,
  by: ActorContext
): Effect.Effect<Stopped | undefined, TaskNotFound | ClaimTakenOver | AttemptMismatch, Sql> =>
  Effect.gen(function* () {
    yield* requireUnfenced(taskId, by)
    const attempt = yield* requireUnaltered(taskId, attemptId)
    if (attempt.state !== "ended") return undefined
    const result = yield* resultFor(attemptId)
    return result?.terminalSource === "stop"
      ? stopped(taskId, attemptId, result.status)
      : yield* mismatch({ taskId, attemptId }, "ended")
  })

const isProvider = Schema.is(AgentProvider)

const nothing = (taskId: string): RunStatus => ({
  taskId,
  running: false,
  attemptId: null,
  status: null,
  agent: null,
  provider: null,
  providerRuntimeManifest: null,
  runLaunchManifest: null,
  taskEnvelope: null,
  usage: [],
  controls: { manifestDigest: null, probeState: "unknown", controls: controlsOf(undefined, false) }
})

const statusFor = (
  taskId: string,
  attemptId: string | undefined
): Effect.Effect<RunStatus, TaskNotFound | AttemptMismatch, Sql> =>
  Effect.gen(function* () {
    yield* requireTask(taskId)
    if (attemptId !== undefined) return yield* shown(yield* requireAttempt(taskId, attemptId))
    const attempt = (yield* activeOf(taskId)) ?? (yield* latestOf(taskId))
    return attempt === undefined ? nothing(taskId) : yield* shown(attempt)
  })

const shown = (attempt: Attempt): Effect.Effect<RunStatus, never, Sql> =>
  Effect.gen(function* () {
    const { agent, endedAt, id, parentAttemptId, provider, queueId, startedAt, state, taskId } = attempt
    const documents = yield* documentsOf(id)
    const manifest = documents === undefined ? null : parseStored<RuntimeManifest>(documents.runtimeManifest)
    const result = yield* resultFor(id)
    const running = state === "running"
    return {
      taskId,
      running,
      attemptId: id,
      status: statusOf(attempt),
      agent,
      provider,
      ...(queueId === null ? {} : { queueId }),
      ...(parentAttemptId === null ? {} : { parentAttemptId }),
      ...(startedAt === null ? {} : { startedAt: iso(startedAt) }),
      ...(endedAt === null ? {} : { endedAt: iso(endedAt) }),
      providerRuntimeManifest: manifest,
      runLaunchManifest: documents?.launchManifest ?? null,
      taskEnvelope: documents?.envelope ?? null,
      ...(result === undefined ? {} : { completionResult: result }),
      usage: yield* usageOf(id),
      controls: {
        manifestDigest: manifest?.digest ?? null,
        probeState: manifest?.probe.state ?? "unknown",
        controls: controlsOf(
          manifest === null || !isProvider(provider) ? undefined : { manifest, provider },
          running
        )
      }
    }
  })
