import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cli } from "../support/Cli.ts"
import { World, world } from "../support/World.ts"

const create = (body: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(World, ({ request }) => request("POST", "/api/tasks", { body }))

describe("create", () => {
  it.scopedLive("adds a task whose title needs no quotes", () =>
    Effect.gen(function* () {
      const ran = yield* cli("create", "Write", "the", "time", "table")
      assert.strictEqual(ran.exitCode, 0)
      const [, id] = /^Created (task_\w{16}) Write the time table$/.exec(ran.stdout) ?? []
      const shown = yield* cli("show", id ?? "", "--json")
      assert.deepInclude(shown.json(), {
        id,
        title: "Write the time table",
        status: "todo",
        createdBy: "codex"
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("takes a title that looks like an option behind two dashes", () =>
    Effect.gen(function* () {
      const ran = yield* cli("create", "--json", "--", "--json", "prints", "nothing")
      assert.strictEqual(ran.json().title, "--json prints nothing")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("tells which value the server does not take", () =>
    Effect.gen(function* () {
      const ran = yield* cli("create", "x".repeat(501))
      assert.strictEqual(ran.exitCode, 2)
      assert.strictEqual(ran.stderr, "muster: Validation failed\n  - title: Expected at most 500 characters")
    }).pipe(Effect.provide(world()))
  )
})

describe("list", () => {
  it.scopedLive("shows the board column by column", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* cli("list")).stdout, "No tasks.")
      yield* create({ id: "A-1", title: "Sail", status: "done", priority: "high" })
      yield* create({ id: "A-200", title: "Row\nhard \u001b[31mred", agents: ["codex"] })
      assert.strictEqual(
        (yield* cli("list")).stdout,
        [
          "ID     STATUS       PRIORITY  TITLE",
          "A-200  todo         medium    Row hard red",
          "A-1    done         high      Sail"
        ].join("\n")
      )
      const ids = (ran: {
        readonly json: () => { readonly tasks: ReadonlyArray<{ readonly id: string }> }
      }) => ran.json().tasks.map(({ id }) => id)
      assert.deepStrictEqual(ids(yield* cli("list", "--json")), ["A-200", "A-1"])
      assert.deepStrictEqual(ids(yield* cli("list", "--status", "done", "--status", "blocked", "--json")), [
        "A-1"
      ])
      assert.deepStrictEqual(ids(yield* cli("list", "--agent", "codex", "--json")), ["A-200"])
      const one = yield* cli("list", "--limit", "1")
      assert.include(one.stdout, "1 of 2; --limit shows more")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive(
    "shows whose a task is: mine, somebody's, or an agent's as assignee or among the agents",
    () =>
      Effect.gen(function* () {
        yield* create({ id: "A-1", title: "Sail", assignee: "codex" })
        yield* create({ id: "A-2", title: "Row", assignee: "ann", agents: ["codex", "claude"] })
        yield* create({ id: "A-3", title: "Swim", assignee: "ann" })
        const idsOf = (...words: ReadonlyArray<string>) =>
          Effect.map(cli("list", ...words, "--json"), (ran) =>
            ran.json().tasks.map(({ id }: { readonly id: string }) => id)
          )
        assert.deepStrictEqual(yield* idsOf("--mine"), ["A-1"])
        assert.deepStrictEqual(yield* idsOf("--assignee", "ann"), ["A-2", "A-3"])
        assert.deepStrictEqual(yield* idsOf("--agent", "codex"), ["A-1", "A-2"])
        assert.deepStrictEqual(yield* idsOf("--agent", "codex", "--assignee", "ann"), ["A-2"])
        const both = yield* cli("list", "--mine", "--assignee", "ann")
        assert.strictEqual(both.exitCode, 2)
        assert.include(both.stderr, "two assignees")
      }).pipe(Effect.provide(world()))
  )

  it.scopedLive("shows a person fifty tasks and a program all of them", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const raw = Array.from({ length: 60 }, (_, index) => `{"title":"Task ${index}"}`).join("\n")
      yield* request("POST", "/api/tasks/import", {
        as: "admin",
        raw,
        headers: { "content-type": "text/plain" }
      })
      const shown = yield* cli("list")
      assert.strictEqual(shown.stdout.split("\n").length, 52)
      assert.include(shown.stdout, "50 of 60")
      assert.strictEqual((yield* cli("list", "--json")).json().tasks.length, 60)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("refuses what is no status and no number", () =>
    Effect.gen(function* () {
      for (const args of [["--status", "half"], ["--limit", "0"], ["--limit", "many"], ["--colour"]]) {
        const ran = yield* cli("list", ...args)
        assert.deepStrictEqual([ran.exitCode, ran.stdout], [2, ""], args.join(" "))
        assert.include(ran.stderr, "--help")
        const json = yield* cli("list", ...args, "--json")
        assert.strictEqual(json.exitCode, 2)
        assert.deepInclude(json.json(), { code: "USAGE" })
      }
    }).pipe(Effect.provide(world()))
  )
})

describe("show", () => {
  it.scopedLive("shows everything about a task, and no control characters", () =>
    Effect.gen(function* () {
      yield* create({
        id: "A-1",
        title: "Sail",
        description: "First\n\u001b]0;owned\u0007second",
        labels: ["sea"],
        acceptanceCriteria: [{ text: "Dry", done: true }]
      })
      yield* cli("comment", "A-1", "Well", "done")
      const { stdout } = yield* cli("show", "A-1")
      for (const line of ["A-1 Sail", "First", "second", "[x] Dry", "sea"]) assert.include(stdout, line)
      assert.match(stdout, /codex: Well done/)
      assert.isFalse(stdout.includes("\u001b") || stdout.includes("\u0007"))
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("takes whole ids only", () =>
    Effect.gen(function* () {
      yield* create({ id: "A-1", title: "Sail" })
      assert.strictEqual((yield* cli("show", "A")).exitCode, 4)
      assert.strictEqual((yield* cli("show", "../auth/status")).exitCode, 2)
    }).pipe(Effect.provide(world()))
  )
})

describe("time show", () => {
  it.scopedLive("shows the time of a task, entry by entry", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* create({ id: "A-1", title: "Sail" })
      assert.strictEqual((yield* cli("time", "show", "A-1")).stdout, "A-1 Sail\nTotal: no time yet")
      yield* request("POST", "/api/tasks/A-1/time/entry", {
        body: { durationMs: 3_900_000, description: "Rigging" }
      })
      const { exitCode, stdout } = yield* cli("time", "show", "A-1")
      assert.strictEqual(exitCode, 0)
      assert.match(stdout, /^A-1 Sail\n {2}\S+ {2}1h 05m {2}Rigging\nTotal: 1h 05m$/)
      const json = (yield* cli("time", "show", "A-1", "--json")).json()
      assert.deepInclude(json, { taskId: "A-1", totalMs: 3_900_000, isRunning: false })
      assert.strictEqual(json.entries[0].description, "Rigging")
      yield* cli("begin", "A-1")
      assert.include((yield* cli("time", "show", "A-1")).stdout, "the timer is running")
    }).pipe(Effect.provide(world()))
  )
})
