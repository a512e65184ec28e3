import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { defaultLimit } from "../../kernel/Paging.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { Storage } from "../../storage/Storage.ts"
import { TraceNotFound } from "./Errors.ts"
import { TracesDisabled, TracesEnabled } from "./Events.ts"
import type { AttemptTrace, TraceEntry, TraceStatus } from "./Trace.ts"
import { setting, settingName, status } from "./TraceRecord.ts"
import * as TraceRepo from "./TraceRepo.ts"

/** The most entries that the trace of one attempt shows. */
export const entryLimit = 10_000

/** What attempts did, and what the governance decided about them. */
export interface TracesService {
  readonly status: Effect.Effect<TraceStatus>
  /** Turns the tracing of attempts on or off; what was traced stays. */
  readonly enable: (enabled: boolean, by: ActorContext) => Effect.Effect<TraceStatus>
  readonly ofAttempt: (attemptId: string) => Effect.Effect<AttemptTrace, TraceNotFound>
  readonly ofTask: (taskId: string, limit?: number) => Effect.Effect<ReadonlyArray<TraceEntry>>
  /** A decision of the governance by its own id. */
  readonly decision: (id: string) => Effect.Effect<TraceEntry, TraceNotFound>
}

export class Traces extends Context.Tag("muster/Traces")<Traces, TracesService>() {
  static readonly layer = Layer.effect(
    Traces,
    Effect.map(Storage, (storage) =>
      Traces.of({
        status: storage.read(status),
        enable: Effect.fn("Traces.enable")((enabled, by) => storage.write(switchTo(enabled, by))),
        ofAttempt: (attemptId) =>
          Effect.flatMap(storage.read(TraceRepo.ofAttempt(attemptId, entryLimit)), (entries) =>
            entries[0] === undefined
              ? new TraceNotFound({ traceId: attemptId })
              : Effect.succeed({ attemptId, taskId: entries[0].taskId, entries })
          ),
        ofTask: (taskId, limit = defaultLimit) => storage.read(TraceRepo.ofTask(taskId, limit)),
        decision: (id) =>
          Effect.flatMap(storage.read(TraceRepo.withId(id)), ([found]) =>
            found === undefined ? new TraceNotFound({ traceId: id }) : Effect.succeed(found)
          )
      })
    )
  )
}

const switchTo = (enabled: boolean, by: ActorContext) =>
  Effect.gen(function* () {
    yield* setting.write({ enabled })
    const of = { resourceId: settingName }
    yield* Journal.record(
      enabled ? new TracesEnabled({ ...of, enabled }) : new TracesDisabled({ ...of, enabled }),
      by
    )
    return { enabled }
  })
