import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createTask, getTask } from "../support/Board.ts"
import { cli, cliAs } from "../support/Cli.ts"
import { world } from "../support/World.ts"

describe("next", () => {
  it.scopedLive("shows the task to work on, why, and what else is ready", () =>
    Effect.gen(function* () {
      const none = yield* cli("next")
      assert.deepStrictEqual(
        [none.exitCode, none.stdout, none.stderr],
        [0, "No task to take up. There is nothing in todo.", ""]
      )
      yield* createTask({ id: "T-1", title: "Sail" })
      yield* createTask({ id: "T-2", title: "Row", priority: "high", type: "bug" })
      const found = yield* cli("next")
      assert.strictEqual(
        found.stdout,
        [
          "T-2 Row",
          "  Nobody has it",
          "  Its priority is high",
          "  Nothing that it depends on is unfinished",
          "  It comes first of 2 that can be taken up",
          "",
          "Also ready",
          "T-1 Sail"
        ].join("\n")
      )
      const json = (yield* cli("next", "--type", "bug", "--json")).json()
      assert.hasAllKeys(json, ["task", "reasons", "alternatives", "queue"])
      assert.strictEqual(json.task.id, "T-2")
      assert.isNull((yield* cli("next", "--project", "none", "--json")).json().task)
      assert.strictEqual((yield* getTask("T-2")).status, "todo", "looking takes nothing")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("takes the task with --claim, and starts its timer", () =>
    Effect.gen(function* () {
      yield* createTask({ id: "T-1", title: "Sail" })
      const claimed = yield* cli("next", "--claim", "--agent", "ann")
      assert.deepStrictEqual([claimed.exitCode, claimed.stdout], [0, "Claimed T-1 Sail"])
      const task = yield* getTask("T-1")
      assert.deepInclude(task, { status: "in-progress", assignee: "ann" })
      assert.isTrue(task.timeTracking.isRunning)
      const nothing = yield* cli("next", "--claim", "--json")
      assert.strictEqual(nothing.exitCode, 0)
      assert.deepStrictEqual(nothing.json(), { task: null, reasons: ["There is nothing in todo"] })
      yield* createTask({ id: "T-2", title: "Row" })
      assert.deepStrictEqual(
        (yield* cli("next", "--claim", "--json")).json().task,
        yield* getTask("T-2"),
        "the task as it is after all of it"
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("gives each of eight shells a task of its own", () =>
    Effect.gen(function* () {
      for (let index = 0; index < 8; index++) yield* createTask({ id: `T-${index}` })
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => cli("next", "--claim", "--json")),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(all.map((ran) => ran.json().task.id)).size, 8)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says who may not claim", () =>
    Effect.gen(function* () {
      yield* createTask()
      assert.strictEqual((yield* cliAs("read-only", "next")).exitCode, 0)
      const refused = yield* cliAs("read-only", "next", "--claim")
      assert.strictEqual(refused.exitCode, 3)
      assert.include(refused.stderr, "task:write")
    }).pipe(Effect.provide(world()))
  )
})
