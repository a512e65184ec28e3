import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, type RequestOptions, World } from "./World.ts"

/** Sends a request that must succeed, and gives what was answered. */
export const ask = (method: string, path: string, options?: RequestOptions) =>
  Effect.gen(function* () {
    const { request } = yield* World
    const answer = yield* request(method, path, options)
    assert.isBelow(answer.status, 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  })

/** Creates a task and gives it as it was answered. */
export const createTask = (fields: Readonly<Record<string, unknown>> = {}) =>
  ask("POST", "/api/tasks", { body: { title: "A task", ...fields } })

/** The task as it is now. */
export const getTask = (id: string) => ask("GET", `/api/tasks/${id}`)

/** The ETag of a task as it was answered. */
export const etagOf = (task: { readonly id: string; readonly revision: number }): string =>
  `"task:${task.id}:${task.revision}"`

/** The ids of a column, in its order. Fails when its positions are not 0 to n-1. */
export const column = (status: string) =>
  Effect.map(ask("GET", `/api/tasks?status=${status}`), ({ tasks }): ReadonlyArray<string> => {
    assert.deepStrictEqual(
      tasks.map((task: { position: number }) => task.position),
      tasks.map((_: unknown, index: number) => index)
    )
    return tasks.map((task: { id: string }) => task.id)
  })

interface Placed {
  readonly id: string
  readonly revision: number
  readonly status: string
  readonly position: number
}

interface MoveBody {
  readonly operationId: string
  readonly sourceStatus: string
  readonly sourcePosition: number
  readonly destinationStatus: string
  readonly destinationIndex: number
}

/** The body of a move of a task as it was answered. */
export const moveBody = (task: Placed, destinationStatus: string, destinationIndex: number): MoveBody => ({
  operationId: randomUUID(),
  sourceStatus: task.status,
  sourcePosition: task.position,
  destinationStatus,
  destinationIndex
})

/** Moves a task as it was answered; the answer may be a refusal. */
export const move = (
  task: Placed,
  body: MoveBody,
  headers: Record<string, string> = { "if-match": etagOf(task) }
): Effect.Effect<Answer, never, World> =>
  Effect.flatMap(World, ({ request }) => request("POST", `/api/tasks/${task.id}/move`, { body, headers }))

/** What every 409 for a shared identity says, whichever write it was. */
export const assertIdentityConflict = (answer: Answer, expected: { operation: string; taskId: string }) => {
  assert.strictEqual(answer.status, 409)
  assert.hasAllKeys(answer.body, ["code", "message", "details"])
  assert.deepInclude(answer.body, { code: "CONFLICT", message: "Duplicate task identity detected" })
  assert.deepInclude(answer.body.details, expected)
}
