import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { ask, createTask } from "./Board.ts"
import { World } from "./World.ts"

/** An attempt that runs, as its start was answered, with the task that it is at. */
export interface RunningAttempt {
  readonly taskId: string
  readonly attemptId: string
  readonly digest: string
}

/** Registers the agent whose key the tests use. */
export const registerCodex = ask("POST", "/api/agents/register", { body: { id: "codex", name: "Codex" } })

/** A start as it was answered, whatever the answer was. */
export const start = (taskId: string, body: object = {}, headers: Record<string, string> = {}) =>
  Effect.flatMap(World, ({ request }) => request("POST", `/api/agents/${taskId}/start`, { body, headers }))

/** A task on which the agent codex, which works elsewhere, has started an attempt. */
export const startGateway = (fields: Readonly<Record<string, unknown>> = {}, body: object = {}) =>
  Effect.gen(function* () {
    yield* registerCodex
    const { id: taskId } = yield* createTask(fields)
    const answer = yield* start(taskId, body)
    assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
    const { attemptId, providerRuntimeManifestDigest: digest } = answer.body
    const running: RunningAttempt = { taskId, attemptId, digest }
    return running
  })

/** A completion as it was answered, whatever the answer was. */
export const complete = ({ attemptId, digest, taskId }: RunningAttempt, claims: object) =>
  Effect.flatMap(World, ({ request }) =>
    request("POST", `/api/agents/${taskId}/complete`, {
      body: { attemptId, providerRuntimeManifestDigest: digest, ...claims }
    })
  )

/** A success that something stands behind. */
export const shownSuccess = {
  success: true,
  summary: "It works",
  verification: [{ name: "tests", status: "passed" }]
}
