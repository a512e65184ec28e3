import { Effect, Either } from "effect"
import type { TaskFull } from "../../board/tasks/Errors.ts"
import { TaskUpdated } from "../../board/tasks/Events.ts"
import type { StoredTask } from "../../board/tasks/Task.ts"
import { commit, findForWrite, type TaskRow, type Write } from "../../board/tasks/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { unconditional } from "../../kernel/Revision.ts"
import { iso } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { type Attempt, statusOf } from "../attempts/Attempt.ts"
import { documentsOf } from "../attempts/Units.ts"
import type { CompletionResult } from "../documents/CompletionResult.ts"
import type { TaskEnvelope } from "../documents/TaskEnvelope.ts"

/** How many attempts the document of a task shows. All of them stand in tables of their own. */
const copies = 20

/** The largest document that a copy shows whole, in characters of JSON: the task's own document has a limit too. */
const wholeLimit = 32_768

/** A document as a task shows it: whole while it is small, else what it is known by. */
const copied = <A extends { readonly schemaVersion: string; readonly digest: string }>(document: A) => {
  const { digest, schemaVersion } = document
  return JSON.stringify(document).length <= wholeLimit ? document : { schemaVersion, digest, truncated: true }
}

/** What a document is known by, for the attempts before the last. */
const reference = (document: unknown): unknown => {
  if (typeof document !== "object" || document === null || !("digest" in document)) return document
  const { digest } = document
  return { digest, ...("schemaVersion" in document ? { schemaVersion: document.schemaVersion } : {}) }
}

const earlier = (attempt: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...attempt,
  ...("taskEnvelope" in attempt ? { taskEnvelope: reference(attempt["taskEnvelope"]) } : {}),
  ...("completionResult" in attempt ? { completionResult: reference(attempt["completionResult"]) } : {})
})

/** An attempt as the document of its task shows it (ruling 82). */
export const copyOf = (
  attempt: Attempt,
  envelope: TaskEnvelope | undefined,
  result?: CompletionResult
): Readonly<Record<string, unknown>> => ({
  id: attempt.id,
  status: result?.status ?? statusOf(attempt),
  agent: attempt.agent,
  provider: attempt.provider,
  ...(attempt.startedAt === null ? {} : { startedAt: iso(attempt.startedAt) }),
  ...(result === undefined ? {} : { endedAt: result.completedAt }),
  ...(envelope === undefined ? {} : { taskEnvelope: copied(envelope) }),
  ...(attempt.bindings === null ? {} : { runLaunchManifestDigest: attempt.bindings.launchManifest }),
  ...(result === undefined ? {} : { completionResult: copied(result) })
})

/** A task that shows an attempt: as the last one, and in the history of its newest ones. */
export const withAttempt = (task: StoredTask, copy: Readonly<Record<string, unknown>>): StoredTask => {
  const others = task.attempts.filter(({ id }) => id !== copy["id"]).map(earlier)
  return { ...task, attempt: copy, attempts: [...others, copy].slice(-copies) }
}

/** The change of a task that shows how one of its attempts ended. */
export interface TaskCopy {
  readonly before: TaskRow
  readonly task: StoredTask
  readonly write: Write
}

/** What happened to a task that shows an attempt. */
export const shownAttempt = (changed: { readonly resourceId: string; readonly revision: number }) =>
  new TaskUpdated({ ...changed, fields: ["attempt"] })

/** The task as it shows the end of an attempt; undefined for one that is gone or can't be written any more. */
export const findCopy = (
  attempt: Attempt,
  result: CompletionResult,
  by: ActorContext
): Effect.Effect<TaskCopy | undefined, never, Sql> =>
  Effect.gen(function* () {
    const write: Write = { operation: "complete", by, agent: attempt.agent, precondition: unconditional }
    const found = yield* Effect.either(findForWrite(attempt.taskId, write))
    if (Either.isLeft(found)) return undefined
    const before = found.right
    const documents = yield* documentsOf(attempt.id)
    return { before, task: withAttempt(before.task, copyOf(attempt, documents?.envelope, result)), write }
  })

/** Writes the copy and nothing else of its task. A task without room for it is not touched. */
export const commitCopy = ({ before, task, write }: TaskCopy): Effect.Effect<TaskRow, TaskFull, Sql> =>
  commit(before, { task }, write, shownAttempt)
