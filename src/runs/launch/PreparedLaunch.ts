import { Effect, Schema } from "effect"
import type { LaunchSource } from "../../governance/capacity/AdmissionRequest.ts"
import type { Admitted } from "../../governance/queue/Units.ts"
import { founderOf } from "../../identity/Standing.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { RunningAttempt } from "../attempts/Attempt.ts"
import { AttemptQueued } from "../attempts/Events.ts"
import { type Documents, insertAttempt, requestOf } from "../attempts/Units.ts"
import type { Applicant } from "./AdmitLaunch.ts"
import type { Launch, LaunchInput } from "./CompileLaunch.ts"
import { LaunchRequest, type Queued, type Started, type Wish } from "./LaunchRequest.ts"
import type { Starting } from "./StartAttempt.ts"

/** A launch that only needs room. */
export interface Prepared {
  readonly id: string
  readonly input: LaunchInput
  readonly path: string | null
  readonly launch: Launch
  readonly documents: Documents
}

/** A launch, as admission looks at it. */
export const applicantOf = (
  { id, input: { agent, runtime, task } }: Prepared,
  { parentAttemptId }: Wish,
  source: LaunchSource
): Applicant => ({
  attemptId: id,
  taskId: task.id,
  priority: task.priority,
  provider: runtime.provider,
  memoryMb: agent?.memoryMb,
  source,
  parentAttemptId
})

/** What the unit that starts a launch takes of it. */
export const startingOf = (
  { documents, id, input: { runtime, task }, path }: Prepared,
  wish: Wish,
  source: LaunchSource
): Starting => ({
  id,
  taskId: task.id,
  agent: runtime.agent,
  provider: runtime.provider,
  source,
  parentAttemptId: wish.parentAttemptId ?? null,
  workspace: path,
  documents,
  request: JSON.stringify(wish)
})

const readWish = columnReader(Schema.typeSchema(LaunchRequest), "attempts", "request")

/** What was asked for when an attempt was started. */
export const wishOf = (attemptId: string): Effect.Effect<Wish, never, Sql> =>
  Effect.map(requestOf(attemptId), (json = "{}") => readWish(json, attemptId))

/** Lets an attempt wait for room. Its task stays as it is: nobody works on it yet. */
export const enqueueAttempt = (
  { id, input: { runtime, task } }: Prepared,
  wish: Wish,
  source: LaunchSource,
  { enqueuedAt, limitingScopes, queueId, retryAfterMs }: Extract<Admitted, { _tag: "Queued" }>,
  by: ActorContext
): Effect.Effect<Queued, never, Sql> =>
  Effect.gen(function* () {
    const { agent, provider } = runtime
    const taskId = task.id
    yield* insertAttempt(
      {
        ...{ id, taskId, agent, provider, queueId, source, state: "queued" },
        parentAttemptId: wish.parentAttemptId ?? null,
        workspace: null,
        requestedBy: founderOf(by),
        createdAt: yield* now,
        startedAt: null
      },
      JSON.stringify(wish)
    )
    yield* Journal.record(new AttemptQueued({ resourceId: id, taskId, agent, provider, source, queueId }), by)
    return {
      taskId,
      attemptId: id,
      queueId,
      agent,
      provider,
      status: "queued",
      enqueuedAt,
      retryAfterMs,
      limitingScopes
    }
  })

/** What the start of an attempt is answered. */
export const startedOf = ({
  agent,
  bindings,
  id,
  parentAttemptId,
  provider,
  startedAt,
  taskId
}: RunningAttempt): Started => ({
  taskId,
  attemptId: id,
  agent,
  provider,
  status: "running",
  startedAt: iso(startedAt),
  providerRuntimeManifestDigest: bindings.runtimeManifest,
  runLaunchManifestDigest: bindings.launchManifest,
  taskEnvelopeDigest: bindings.envelope,
  ...(parentAttemptId === null ? {} : { parentAttemptId })
})
