import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cli } from "../support/Cli.ts"
import { World, world } from "../support/World.ts"

const create = (status: string) =>
  Effect.flatMap(World, ({ request }) => request("POST", "/api/tasks", { body: { title: "Sail", status } }))

const lines = (text: string) => text.split("\n")

describe("analytics", () => {
  it.scopedLive("shows how the work goes", () =>
    Effect.gen(function* () {
      const [completed, ...others] = lines((yield* cli("analytics", "--period", "today")).stdout)
      assert.match(completed ?? "", /^completed: {4}0 from (\d{4}-\d\d-\d\d) to \1$/)
      assert.deepStrictEqual(others, [
        "cycle time:   unknown: nothing was completed",
        "in progress:  0",
        "blocked:      0",
        "stale:        0",
        "health:       healthy, 100 of 100"
      ])
      yield* create("in-progress")
      yield* create("blocked")
      const { body } = yield* create("todo")
      yield* cli("done", body.id)
      const after = lines((yield* cli("analytics")).stdout)
      assert.match(after[0] ?? "", /^completed: {4}1 from /)
      assert.match(after[1] ?? "", /^cycle time: {3}\d+s median, \d+s average$/)
      assert.strictEqual(after.at(-1), "health:       at-risk, 75 of 100")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("gives programs everything, and takes no period that there is not", () =>
    Effect.gen(function* () {
      yield* create("done")
      const { health, metrics, timeline } = (yield* cli("analytics", "--period", "2w", "--json")).json()
      assert.deepInclude(metrics, { period: "14d", throughput: 1 })
      assert.lengthOf(timeline.points, 14)
      assert.strictEqual(health.status, "healthy")
      const wrong = yield* cli("analytics", "--period", "eon")
      assert.strictEqual(wrong.exitCode, 2)
      assert.include(wrong.stderr, "Expected days or weeks such as 7d or 2w")
    }).pipe(Effect.provide(world()))
  )
})
