import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, createTask } from "../support/Board.ts"
import { cli, cliAs } from "../support/Cli.ts"
import { embeddingsStandIn } from "../support/EmbeddingsStandIn.ts"
import { temporaryDirectory, world } from "../support/World.ts"

const settings = { backend: "keyword", docs: undefined, manual: undefined, embeddings: undefined } as const

describe("search", () => {
  it.scopedLive("shows what it finds, best first, with the part that matches", () =>
    Effect.gen(function* () {
      yield* createTask({ id: "T-1", title: "Errands", description: "buy\n\u001b[31m marmalade" })
      yield* createTask({ id: "T-2", title: "Marmalade" })
      yield* createTask({ id: "T-3", title: "Old marmalade jars" })
      yield* ask("POST", "/api/tasks/T-3/archive")
      const ran = yield* cli("search", "marmalade")
      assert.deepStrictEqual([ran.exitCode, ran.stderr], [0, ""])
      assert.strictEqual(
        ran.stdout,
        ["T-2 Marmalade", "T-3 Old marmalade jars (archived)", "T-1 Errands", "  buy marmalade T-1"].join(
          "\n"
        )
      )
      const none = yield* cli("search", "no", "such", "zeppelin")
      assert.deepStrictEqual([none.exitCode, none.stdout], [0, "Nothing found."])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("narrows to collections and to a number, and gives a program the whole answer", () =>
    Effect.gen(function* () {
      for (const id of ["T-1", "T-2", "T-3"]) yield* createTask({ id, title: "Paint the gate" })
      yield* ask("POST", "/api/tasks/T-3/archive")
      const ids = (...args: ReadonlyArray<string>) =>
        Effect.map(cli("search", "paint", "gate", ...args, "--json"), (ran) =>
          ran.json().results.map(({ id }: { readonly id: string }) => id)
        )
      assert.deepStrictEqual(yield* ids("--collection", "tasks-archive"), ["T-3"])
      assert.sameMembers(yield* ids("--collection", "tasks-archive", "--collection", "tasks-active"), [
        "T-1",
        "T-2",
        "T-3"
      ])
      assert.lengthOf(yield* ids("--limit", "2"), 2)
      const answer = (yield* cliAs("read-only", "search", "paint", "--json")).json()
      assert.deepInclude(answer, { query: "paint", backend: "keyword", degraded: false })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("refuses what it can't look for", () =>
    Effect.gen(function* () {
      for (const args of [
        [],
        ["x", "--collection", "chat"],
        ["x", "--limit", "0"],
        ["x", "--limit", "101"]
      ]) {
        const ran = yield* cli("search", ...args)
        assert.deepStrictEqual([ran.exitCode, ran.stdout], [2, ""], args.join(" "))
      }
      const long = yield* cli("search", "x".repeat(501))
      assert.strictEqual(long.exitCode, 2)
      assert.include(long.stderr, "query: Expected at most 500 characters")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says when meaning was wanted and words had to do", () =>
    Effect.gen(function* () {
      yield* createTask({ id: "T-1", title: "Bake bread" })
      const { stdout } = yield* cli("search", "bread")
      assert.include(stdout, "T-1 Bake bread")
      assert.include(stdout, "Compared by words")
    }).pipe(Effect.provide(world({ search: { ...settings, backend: "semantic" } })))
  )
})

describe("reindex", () => {
  it.scopedLive("reads the documents again, and embeds when it is asked to", () =>
    Effect.gen(function* () {
      const docs = yield* temporaryDirectory
      const { endpoint } = yield* embeddingsStandIn()
      yield* Effect.gen(function* () {
        yield* cliAs("admin", "reindex")
        yield* Effect.sync(() => {
          mkdirSync(join(docs, "guide"))
          writeFileSync(join(docs, "guide", "oven.md"), "# The oven\n\nPreheat it")
        })
        assert.strictEqual((yield* cliAs("admin", "reindex")).stdout, "1 document updated.")
        assert.include((yield* cli("search", "preheat")).stdout, "docs/guide/oven.md The oven")
        const embedded = yield* cliAs("admin", "reindex", "--embed")
        assert.strictEqual(embedded.stdout, "0 documents updated. 1 text embedded.")
        const json = (yield* cliAs("admin", "reindex", "--embed", "--json")).json()
        assert.deepInclude(json, { updated: 0, embedded: 0, remaining: 0, commands: [] })
      }).pipe(Effect.provide(world({ search: { ...settings, docs, embeddings: endpoint } })))
    })
  )

  it.scopedLive("says how to go on with what could not be embedded, and is for admins", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* embeddingsStandIn((response) => response.writeHead(503).end())
      yield* Effect.gen(function* () {
        yield* createTask({ title: "Bake bread" })
        const ran = yield* cliAs("admin", "reindex", "--embed")
        assert.include(ran.stdout, "1 text is left: muster reindex --embed goes on.")
        const [command = ""] = (yield* cliAs("admin", "reindex", "--embed", "--json")).json().commands
        const [program, ...args] = command.split(" ")
        assert.strictEqual(program, "muster")
        assert.strictEqual((yield* cliAs("admin", ...args)).exitCode, 0, "the command that is named exists")
        assert.strictEqual((yield* cli("reindex")).exitCode, 3)
      }).pipe(Effect.provide(world({ search: { ...settings, embeddings: endpoint } })))
    })
  )
})
