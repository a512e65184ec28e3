import { Effect } from "effect"
import { RunJournals } from "../../../src/runs/journal/RunJournals.ts"
import { failed, launched } from "../../support/Journals.ts"
import { until } from "../../support/ScriptedAgents.ts"
import { type Ask, aTask, given, type Scenario } from "./Scenario.ts"

const anOutput = (length: number) => (ask: Ask) =>
  Effect.gen(function* () {
    const { append } = yield* RunJournals
    const { id: taskId } = yield* aTask(ask)
    const attemptId = yield* launched(taskId)
    const text = "a line\n".repeat(length)
    yield* append(attemptId, [{ kind: "output", payload: { stream: "stdout", text } }]).pipe(Effect.orDie)
    const { body } = yield* ask("GET", `/api/agents/${taskId}/attempts/${attemptId}/events`)
    const { artifactId = "" } = body.events[0].payload
    return { path: { taskId, attemptId, artifactId }, query: `?runId=${attemptId}&attemptId=${attemptId}` }
  })

/** A recovery that waits, of an attempt that the service ran. */
const aRecovery = (ask: Ask) =>
  Effect.gen(function* () {
    const { id: taskId } = yield* aTask(ask)
    const attemptId = yield* launched(taskId)
    yield* failed(attemptId)
    yield* ask("GET", `/api/agents/${taskId}/recovery`)
    return { taskId, attemptId }
  })

/** A run that was found to call the same tool again and again. */
const aFinding = (ask: Ask) =>
  Effect.gen(function* () {
    const { append } = yield* RunJournals
    const { id: taskId } = yield* aTask(ask)
    const attemptId = yield* launched(taskId)
    const call = { kind: "tool_call", payload: { id: "1", name: "Bash", input: { command: "npm test" } } }
    yield* append(attemptId, Array(5).fill(call)).pipe(Effect.orDie)
    const found = ask("GET", `/api/agents/${taskId}/watchdog?attemptId=${attemptId}`)
    const { body } = yield* until(found, ({ body }) => body.findings.length === 1)
    return { taskId, attemptId, findingId: String(body.findings[0].id) }
  })

export const runs: Readonly<Record<string, Scenario>> = {
  "recovery.latest": given(aRecovery, ({ taskId }) => ({ path: { taskId } })),
  "recovery.cancel": given(aRecovery, ({ attemptId, taskId }) => ({ path: { taskId }, body: { attemptId } })),
  "watchdog.findings": given(aFinding, ({ attemptId, taskId }) => ({
    path: { taskId },
    query: `?attemptId=${attemptId}`
  })),
  "watchdog.override": given(aFinding, ({ attemptId, findingId, taskId }) => ({
    path: { taskId, findingId },
    body: { attemptId, resolution: "acknowledge", reason: "It waits for a slow test" }
  })),
  "runEvents.list": given(anOutput(2), ({ path }) => ({ path, query: "?afterSequence=0&limit=5" })),
  "outputArtifacts.read": given(anOutput(9_000), ({ path, query }) => ({
    path,
    query: `${query}&operation=line-range&startLine=2&lineCount=1`
  })),
  "outputArtifacts.download": given(anOutput(9_000), ({ path, query }) => ({ path, query }))
}
