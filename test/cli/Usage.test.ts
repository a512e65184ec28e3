import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cli } from "../support/Cli.ts"
import { world } from "../support/World.ts"

describe("a command line that is wrong", () => {
  it.scoped("is told of the command that was meant", () =>
    Effect.gen(function* () {
      const misspelled = yield* cli("lsit")
      assert.strictEqual(misspelled.exitCode, 2)
      assert.strictEqual(
        misspelled.stderr,
        "muster: There is no command lsit: did you mean list?\nmuster --help lists them all."
      )
      assert.include((yield* cli("frobnicate")).stderr, "There is no command frobnicate\n")
      const asJson = yield* cli("shwo", "x", "--json")
      assert.deepStrictEqual(asJson.json(), {
        error: "There is no command shwo: did you mean show?",
        code: "USAGE",
        details: {}
      })
    }).pipe(Effect.provide(world()))
  )

  it.scoped("gets a line for a wrong value, not the shape of a type", () =>
    Effect.gen(function* () {
      for (const [given, told] of [
        [
          ["list", "--status", "nope"],
          '--status: Expected "backlog" or "todo" or "in-progress" or "blocked" or "done" or "cancelled"'
        ],
        [["show", ""], "ID: Expected 1 to 128 letters, digits, dots, dashes and underscores"],
        [["list", "--limit", "0"], "--limit: Expected an integer from 1 to 10000"],
        [
          ["create", "--priority", "urgent", "A"],
          '--priority: Expected "low" or "medium" or "high" or "critical"'
        ]
      ] as const) {
        const ran = yield* cli(...given, "--json")
        assert.strictEqual(ran.exitCode, 2, given.join(" "))
        assert.strictEqual(ran.json().error, told)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scoped("writes no option that there is not into a title, unless two dashes stand before it", () =>
    Effect.gen(function* () {
      const swallowed = yield* cli("create", "A", "--colour", "red")
      assert.strictEqual(swallowed.exitCode, 2)
      assert.strictEqual((yield* cli("list", "--json")).json().tasks.length, 0)
      assert.strictEqual(
        (yield* cli("create", "--json", "--", "A", "--colour", "red")).json().title,
        "A --colour red"
      )
      assert.strictEqual(
        (yield* cli("create", "Below", "-5", "degrees", "--json")).json().title,
        "Below -5 degrees"
      )
    }).pipe(Effect.provide(world()))
  )
})

describe("a new task", () => {
  it.scoped("takes what its options say, wherever they stand", () =>
    Effect.gen(function* () {
      const task = (yield* cli(
        "create",
        "--priority",
        "high",
        "--label",
        "a",
        "--label",
        "b",
        "Write",
        "notes",
        "--project",
        "web",
        "--status",
        "backlog",
        "--json"
      )).json()
      assert.deepInclude(task, {
        title: "Write notes",
        priority: "high",
        labels: ["a", "b"],
        project: "web",
        status: "backlog"
      })
    }).pipe(Effect.provide(world()))
  )
})
