import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RunJournals } from "../../../src/runs/journal/RunJournals.ts"
import { ask } from "../../support/Board.ts"
import { complete, shownSuccess, startGateway } from "../../support/Runs.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { sweep } from "../../support/Sweep.ts"
import { World, world } from "../../support/World.ts"

/** What the directory of blobs holds. */
const blobsIn = (directory: string): ReadonlyArray<string> => {
  const blobs = join(directory, "blobs")
  if (!existsSync(blobs)) return []
  return readdirSync(blobs, { recursive: true, withFileTypes: true, encoding: "utf8" })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

describe("what an old run said", () => {
  it.scopedLive("goes after 90 days with its long outputs; what it used, and how it ended, stay", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const { directory, request } = yield* World
      const { append } = yield* RunJournals
      const old = yield* startGateway()
      const { attemptId, taskId } = old
      const say = (attempt: string) =>
        append(attempt, [
          { kind: "message", payload: { text: "short" } },
          { kind: "output", payload: { stream: "stdout", text: `${attempt} `.repeat(2_000) } }
        ])
      yield* say(attemptId)
      const usage = { model: "m", inputTokens: 7, outputTokens: 5 }
      yield* ask("POST", `/api/agents/${taskId}/tokens`, { body: { attemptId, usage } })
      assert.strictEqual((yield* complete(old, shownSuccess)).status, 200)
      const eventsOf = (run: { taskId: string; attemptId: string }) =>
        ask("GET", `/api/agents/${run.taskId}/attempts/${run.attemptId}/events`)
      const artifactOf = (artifactId: string) =>
        request(
          "GET",
          `/api/agents/${taskId}/output-artifacts/${artifactId}/download?runId=${attemptId}&attemptId=${attemptId}`
        )
      const { events } = yield* eventsOf(old)
      const artifactId = events[1].payload.artifactId
      assert.strictEqual((yield* artifactOf(artifactId)).status, 200)
      const before = yield* ask("GET", `/api/agents/${taskId}/status`)
      assert.deepInclude(before.usage[0], usage)

      yield* clock.step("89 days")
      const young = yield* startGateway()
      yield* say(young.attemptId)
      yield* sweep()
      assert.lengthOf((yield* eventsOf(old)).events, 2)
      assert.lengthOf(blobsIn(directory), 2)

      yield* clock.step("2 days")
      yield* sweep()
      assert.deepInclude(yield* eventsOf(old), {
        events: [],
        gap: { from: 1, to: 2 },
        nextCursor: 2,
        hasMore: false
      })
      assert.strictEqual((yield* artifactOf(artifactId)).status, 404)
      assert.lengthOf((yield* eventsOf(young)).events, 2)
      const after = yield* ask("GET", `/api/agents/${taskId}/status`)
      assert.deepStrictEqual(after.usage, before.usage)
      assert.deepStrictEqual(after.completionResult, before.completionResult)
    }).pipe(Effect.provide(Layer.provideMerge(world(), clock.layer)))
  })
})
