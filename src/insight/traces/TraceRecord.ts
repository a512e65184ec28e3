import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { redactJson } from "../../kernel/Redaction.ts"
import { nowIso } from "../../kernel/Time.ts"
import { singleton } from "../../storage/Singleton.ts"
import type { Sql } from "../../storage/Sql.ts"
import { type TraceEntry, TraceStatus } from "./Trace.ts"
import * as TraceRepo from "./TraceRepo.ts"

/*
 * The units that leave a trace, for every room that has something to trace: they run in the unit of what they trace.
 * They are no news for the outbox: what they tell of is there already.
 */

/** Where the setting lies. */
export const settingName = "traces"

/** What was chosen. */
export const setting = singleton(settingName, TraceStatus)

/** Whether attempts are traced; at first they are not. */
export const status: Effect.Effect<TraceStatus, never, Sql> = Effect.map(
  setting.read,
  (stored) => stored ?? { enabled: false }
)

/** What is traced. */
export interface Traced {
  readonly kind: string
  readonly taskId?: string
  readonly attemptId?: string
  readonly details: Readonly<Record<string, unknown>>
}

/** Traces something that happened in an attempt, while tracing is on. */
export const record = (
  traced: Traced & { readonly attemptId: string },
  by: ActorContext
): Effect.Effect<void, never, Sql> =>
  Effect.flatMap(status, ({ enabled }) =>
    enabled ? Effect.asVoid(insert("trace", traced, by)) : Effect.void
  )

/** Traces a decision of the governance, whether tracing is on or not (decision Q63), and gives it back with its id. */
export const recordGovernance = (traced: Traced, by: ActorContext): Effect.Effect<TraceEntry, never, Sql> =>
  insert("govtrace", traced, by)

const insert = (
  prefix: "trace" | "govtrace",
  { attemptId, details, kind, taskId }: Traced,
  by: ActorContext
): Effect.Effect<TraceEntry, never, Sql> =>
  Effect.gen(function* () {
    const entry: TraceEntry = {
      id: yield* newId(prefix),
      kind,
      taskId: taskId ?? null,
      attemptId: attemptId ?? null,
      details: redactJson(details),
      createdAt: yield* nowIso,
      createdBy: by.name
    }
    yield* TraceRepo.insert(entry)
    return entry
  })
