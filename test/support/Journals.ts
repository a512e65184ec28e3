import { Effect } from "effect"
import type { Founder } from "../../src/identity/Standing.ts"
import { system } from "../../src/kernel/Actor.ts"
import { sealed } from "../../src/kernel/Digest.ts"
import { newId } from "../../src/kernel/Ids.ts"
import { now } from "../../src/kernel/Time.ts"
import { AttemptEnded } from "../../src/runs/attempts/Events.ts"
import { bind, type Documents, findAttempt, insertAttempt } from "../../src/runs/attempts/Units.ts"
import type { LaunchManifest } from "../../src/runs/documents/LaunchManifest.ts"
import { leavesOf } from "../../src/runs/documents/Phase.ts"
import type { TaskEnvelope } from "../../src/runs/documents/TaskEnvelope.ts"
import { openJournal } from "../../src/runs/journal/Units.ts"
import * as Journal from "../../src/storage/events/Journal.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"

const founder: Founder = {
  name: "codex",
  role: "agent",
  userId: "codex",
  workspaceId: "default",
  actorType: "agent",
  authMethod: "api-key",
  permissions: []
}

const enforcement = { enforceable: true, blockers: [], warnings: [] }

/** What an attempt is bound to: as little as documents may say. */
const documentsOf = (taskId: string, attemptId: string): Documents => {
  const runtimeManifest = sealed({ schemaVersion: "provider-runtime-manifest/v1" })
  const launchManifest: LaunchManifest = sealed({
    schemaVersion: "run-launch-manifest/v1",
    taskId,
    attemptId,
    agent: "codex",
    providerRuntime: { digest: runtimeManifest.digest, provider: "command", probeRevision: 1 },
    runtime: { command: null, args: [], model: null },
    phase: "implement",
    phaseEvidence: sealed({
      schemaVersion: "phase-capability-evidence/v1",
      phase: "implement",
      dimensions: leavesOf.implement,
      enforcement
    } as const),
    commitPolicy: "allowed",
    inputs: {},
    instructions: [],
    origins: {},
    resources: { shared: [] },
    enforcement
  } as const)
  const envelope: TaskEnvelope = sealed({
    schemaVersion: "task-envelope/v1",
    taskId,
    attemptId,
    subject: { title: "A task", type: "task", priority: "medium", labels: [], acceptanceCriteria: [] },
    commitPolicy: "allowed",
    policy: {},
    expectedOutputs: [],
    gates: [],
    workspace: { path: null, baseline: { headSha: null, dirty: false, files: [] } },
    launchManifest: { digest: launchManifest.digest },
    transport: { schemaVersion: "provider-task-envelope-transport/v1", kind: "stdin", promptBytes: 0 }
  } as const)
  return { runtimeManifest, launchManifest, envelope }
}

/** Launches an attempt at a task as far as its journal needs it. */
export const launched = (taskId: string, { runId }: { readonly runId?: string } = {}) =>
  Effect.gen(function* () {
    const { write } = yield* Storage
    const attemptId = yield* newId("attempt")
    const at = yield* now
    yield* write(
      Effect.gen(function* () {
        yield* insertAttempt(
          {
            id: attemptId,
            taskId,
            agent: "codex",
            provider: "command",
            source: "manual",
            state: "running",
            parentAttemptId: null,
            queueId: null,
            workspace: null,
            requestedBy: founder,
            createdAt: at,
            startedAt: at
          },
          "{}"
        )
        yield* bind(attemptId, documentsOf(taskId, attemptId), null, at)
        yield* openJournal({
          attemptId,
          taskId,
          runId: runId ?? attemptId,
          provider: "command",
          adapter: "command",
          sessionId: null
        })
      })
    )
    return attemptId
  })

/** Ends an attempt without a word. */
export const over = (attemptId: string) =>
  Effect.flatMap(Storage, ({ write }) =>
    write(run(sql`UPDATE attempts SET state = 'ended', status = 'success' WHERE id = ${attemptId}`))
  )

/** Ends an attempt as one that failed, and lets everybody know. */
export const failed = (attemptId: string) =>
  Effect.gen(function* () {
    const { write } = yield* Storage
    const at = yield* now
    const unit = Effect.gen(function* () {
      const attempt = yield* findAttempt(attemptId)
      if (attempt === undefined) return
      const { agent, provider, source, taskId } = attempt
      yield* run(
        sql`UPDATE attempts SET state = 'ended', status = 'failed', ended_at = ${at} WHERE id = ${attemptId}`
      )
      const facts = { resourceId: attemptId, taskId, agent, provider, source, result: "sha256:0" }
      yield* Journal.record(
        new AttemptEnded({ ...facts, status: "failed", terminalSource: "process" }),
        system
      )
    })
    yield* write(unit)
  })
