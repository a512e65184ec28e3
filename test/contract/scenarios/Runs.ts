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

/** An attempt of an agent that registered itself, on a task of its own. */
const anAttempt = (ask: Ask) =>
  Effect.gen(function* () {
    // Those of other scenarios still run.
    const admission = { limits: { workspace: { runs: null } } }
    yield* ask("PATCH", "/api/settings/features", { as: "admin", body: { admission } })
    yield* ask("POST", "/api/agents/register", { as: "admin", body: { id: "far-away", name: "Far away" } })
    const { id: taskId } = yield* aTask(ask)
    const { body } = yield* ask("POST", `/api/agents/${taskId}/start`, { body: { agent: "far-away" } })
    return { taskId, attemptId: body.attemptId, digest: body.providerRuntimeManifestDigest }
  })

/** A task that an agent can be started on. */
const aStart = (ask: Ask) =>
  Effect.gen(function* () {
    const admission = { limits: { workspace: { runs: null } } }
    yield* ask("PATCH", "/api/settings/features", { as: "admin", body: { admission } })
    yield* ask("POST", "/api/agents/register", { as: "admin", body: { id: "far-away", name: "Far away" } })
    const { id: taskId } = yield* aTask(ask)
    return { taskId }
  })

const launch = { agent: "far-away", phase: "implement", commitPolicy: "allowed" }

export const runs: Readonly<Record<string, Scenario>> = {
  // The attempt, its reservation, its telemetry and its task.
  "launch.start": given(aStart, ({ taskId }) => ({
    path: { taskId },
    headers: { "x-idempotency-key": "start-this-once" },
    body: launch,
    links: 4
  })),
  "launch.preview": given(aStart, ({ taskId }) => ({ path: { taskId }, body: launch, links: 0 })),
  "control.status": given(anAttempt, ({ taskId }) => ({ path: { taskId } })),
  "control.stop": given(anAttempt, ({ attemptId, taskId }) => ({
    path: { taskId },
    body: { attemptId },
    links: 4
  })),
  "control.tokens": given(anAttempt, ({ attemptId, taskId }) => ({
    path: { taskId },
    body: {
      attemptId,
      usage: { model: "m1", inputTokens: 1_200, outputTokens: 300, cacheReadTokens: 9_000, cost: 0.02 }
    }
  })),
  "control.message": given(anAttempt, ({ attemptId, taskId }) => ({
    path: { taskId },
    body: { attemptId, message: "Mind the tests", actor: "ann" }
  })),
  "control.complete": given(anAttempt, ({ attemptId, digest, taskId }) => ({
    path: { taskId },
    body: {
      attemptId,
      providerRuntimeManifestDigest: digest,
      success: true,
      summary: "The docs are written",
      verification: [{ name: "links", status: "passed" }]
    },
    links: 4
  })),
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
