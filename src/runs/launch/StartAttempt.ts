import { Effect } from "effect"
import type { StatusRefused, TaskFull } from "../../board/tasks/Errors.ts"
import type { StatusRulesService } from "../../board/tasks/StatusRules.ts"
import { Claim, changeStatus, findForWrite, type Write, type WriteRefused } from "../../board/tasks/Units.ts"
import type { LaunchSource } from "../../governance/capacity/AdmissionRequest.ts"
import { founderOf } from "../../identity/Standing.ts"
import * as Telemetry from "../../insight/telemetry/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { unconditional } from "../../kernel/Revision.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Attempt, RunningAttempt } from "../attempts/Attempt.ts"
import { AttemptStarted } from "../attempts/Events.ts"
import { bind, type Documents, insertAttempt } from "../attempts/Units.ts"
import { copyOf, shownAttempt, withAttempt } from "../completion/TaskCopy.ts"
import { openJournal } from "../journal/Units.ts"

/** An attempt that is about to run. */
export interface Starting {
  readonly id: string
  readonly taskId: string
  readonly agent: string
  readonly provider: string
  readonly source: LaunchSource
  readonly parentAttemptId: string | null
  readonly workspace: string | null
  readonly documents: Documents
  /** What was asked for, as JSON. */
  readonly request: string
}

/**
 * An attempt begins, as one unit: it is bound to its documents, its task is in progress and shows it, and the run counts
 * in the telemetry (ruling 79).
 */
export const startAttempt = (
  rules: StatusRulesService,
  starting: Starting,
  { at, by, queued }: { readonly at: number; readonly by: ActorContext; readonly queued: Attempt | undefined }
): Effect.Effect<RunningAttempt, WriteRefused | StatusRefused | TaskFull, Sql> =>
  Effect.gen(function* () {
    const { agent, documents, id, parentAttemptId, provider, request, source, taskId, workspace } = starting
    const write: Write = { operation: "start", by, agent, precondition: unconditional }
    const before = yield* findForWrite(taskId, write)
    const waiting = { id, taskId, agent, provider, source, parentAttemptId, workspace }
    const made: Attempt = queued ?? {
      ...waiting,
      state: "running",
      status: null,
      queueId: null,
      requestedBy: founderOf(by),
      createdAt: at,
      startedAt: at,
      endedAt: null,
      bindings: null
    }
    if (queued === undefined) yield* insertAttempt(made, request)
    yield* openJournal({ attemptId: id, taskId, runId: id, provider, adapter: provider, sessionId: null })
    yield* bind(id, documents, workspace, at)
    const bindings = {
      runtimeManifest: documents.runtimeManifest.digest,
      launchManifest: documents.launchManifest.digest,
      envelope: documents.envelope.digest
    }
    const attempt: RunningAttempt = { ...made, workspace, state: "running", startedAt: at, bindings }
    yield* Journal.record(
      new AttemptStarted({
        resourceId: id,
        taskId,
        agent,
        provider,
        source,
        ...(parentAttemptId === null ? {} : { parentAttemptId }),
        ...bindings
      }),
      by
    )
    yield* Telemetry.record(
      { type: "run.started", taskId, agent },
      by,
      Telemetry.attemptIdentity(taskId, id, "started")
    )
    const task = withAttempt(before.task, copyOf(attempt, documents.envelope))
    yield* changeStatus(
      rules,
      before,
      task,
      { status: "in-progress" },
      // From here on the attempt keeps the task: no claim lapses beside it.
      { ...write, ...(before.claim === undefined ? {} : { claim: Claim.ended(before.claim) }) },
      shownAttempt
    )
    return attempt
  })
