import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { RunJournals } from "../../../src/runs/journal/RunJournals.ts"
import { cliWith } from "../../support/Cli.ts"
import { launched } from "../../support/Journals.ts"
import { restore } from "../../support/Restore.ts"
import { keys, temporaryDirectory, World, worldIn } from "../../support/World.ts"

describe("a backup", () => {
  it.scopedLive("takes the events of runs and their long outputs along, and a restore brings them back", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(yield* temporaryDirectory, "backup.db")
      const text = "a line\n".repeat(9_000)
      const { attemptId, taskId } = yield* Effect.gen(function* () {
        const { baseUrl, request } = yield* World
        const { append } = yield* RunJournals
        const { body } = yield* request("POST", "/api/tasks", { body: { title: "Keep this" } })
        const attempt = yield* launched(body.id)
        yield* append(attempt, [{ kind: "output", payload: { stream: "stdout", text } }])
        const reached = { SERVICE_API_URL: baseUrl, SERVICE_API_KEY: keys.admin, SERVICE_DATA_DIR: directory }
        assert.strictEqual((yield* cliWith(reached, "backup", file)).exitCode, 0)
        return { attemptId: attempt, taskId: String(body.id) }
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      const elsewhere = join(yield* temporaryDirectory, "data")
      yield* restore(file, elsewhere)
      yield* Effect.gen(function* () {
        const { request } = yield* World
        const { body } = yield* request("GET", `/api/agents/${taskId}/attempts/${attemptId}/events`)
        const query = `runId=${attemptId}&attemptId=${attemptId}`
        const { artifactId } = body.events[0].payload
        const path = `/api/agents/${taskId}/output-artifacts/${artifactId}/download?${query}`
        assert.strictEqual((yield* request("GET", path)).body, text)
      }).pipe(Effect.provide(worldIn(elsewhere)), Effect.scoped)
    })
  )
})
