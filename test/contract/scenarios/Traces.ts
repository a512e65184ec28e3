import { Effect } from "effect"
import * as TraceRecord from "../../../src/insight/traces/TraceRecord.ts"
import { system } from "../../../src/kernel/Actor.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { type Ask, given, just, type Scenario } from "./Scenario.ts"

const aDecision = () =>
  Effect.flatMap(Storage, (storage) =>
    storage.write(TraceRecord.recordGovernance({ kind: "route.selected", details: { rule: "docs" } }, system))
  )

const aTracedAttempt = (ask: Ask) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    yield* ask("POST", "/api/traces/enable", { as: "admin" })
    const traced = {
      kind: "run.started",
      attemptId: "attempt_1",
      taskId: "task_1",
      details: { agent: "codex" }
    }
    yield* storage.write(TraceRecord.record(traced, system))
    return traced
  })

export const traces: Readonly<Record<string, Scenario>> = {
  "traces.status": just(),
  "traces.enable": just(),
  "traces.disable": just(),
  "traces.ofTask": given(aTracedAttempt, ({ taskId }) => ({ path: { taskId }, query: "?limit=5" })),
  "traces.decision": given(aDecision, ({ id }) => ({ path: { traceId: id } })),
  "traces.ofAttempt": given(aTracedAttempt, ({ attemptId }) => ({ path: { attemptId } }))
}
