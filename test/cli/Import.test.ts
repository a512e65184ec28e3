import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { importFields } from "../../src/board/imports/ImportFields.ts"
import { bar } from "../../src/cli/commands/board/Import.ts"
import { Stdin } from "../../src/cli/Stdin.ts"
import { cli, cliAs, cliWith } from "../support/Cli.ts"
import { World, world } from "../support/World.ts"

/** Writes lines to a file, and imports it. */
const importing = (lines: ReadonlyArray<unknown>, ...options: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { directory } = yield* World
    const file = join(directory, "tasks.jsonl")
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"))
    return yield* cliAs("admin", "import", file, ...options)
  })

/** More lines than one request takes. */
const many = Array.from({ length: 450 }, (_, index) => ({ id: `M-${index}`, title: `Task ${index}` }))

/** A file whose third line was written in another encoding. */
const latin1 = Buffer.concat([
  Buffer.from('\ufeff{"title":"One é"}\n\n{"title":"Caf'),
  Buffer.from([0xe9]),
  Buffer.from('"}\n{"title":"Two 🙂"}\r\n')
])

describe("import", () => {
  it.scopedLive("names the lines that are no UTF-8, and brings the others", () =>
    Effect.gen(function* () {
      const { directory, request } = yield* World
      const file = join(directory, "tasks.jsonl")
      writeFileSync(file, latin1)
      const told = yield* cliAs("admin", "import", file)
      assert.strictEqual(told.exitCode, 1)
      assert.include(told.stdout, "2 tasks imported, 1 line failed.")
      assert.include(told.stdout, "line 3: Expected UTF-8")
      const { body } = yield* request("GET", "/api/tasks")
      assert.sameMembers(
        body.tasks.map(({ title }: { readonly title: string }) => title),
        ["One é", "Two 🙂"]
      )
      const refused = yield* request("POST", "/api/tasks/import", {
        as: "admin",
        raw: latin1,
        headers: { "content-type": "application/x-ndjson" }
      })
      assert.strictEqual(refused.status, 400)
      assert.strictEqual(refused.body.details.issues[0].message, "The body is not valid UTF-8 (line 3)")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("reads standard input when it is asked for", () =>
    Effect.gen(function* () {
      const lines = Stream.fromIterable(
        ['{"title":"On', 'e"}\n{"title":"Two"}'].map((text) => Buffer.from(text))
      )
      const ran = yield* Effect.provideService(cliAs("admin", "import", "-"), Stdin, lines)
      assert.deepStrictEqual([ran.exitCode, ran.stdout], [0, "2 tasks imported."])
      const broken = yield* Effect.provideService(cliAs("admin", "import", "-"), Stdin, Stream.fail("EIO"))
      assert.strictEqual(broken.exitCode, 2)
      assert.include(broken.stderr, "Can't read standard input")
    }).pipe(Effect.provide(world()))
  )

  it.effect("says in its help which fields it reads", () =>
    Effect.gen(function* () {
      const { stdout } = yield* cliWith({}, "import", "--help")
      for (const { names } of importFields) assert.include(stdout, names.join(", "))
      assert.include(stdout, "import - < backlog.jsonl")
    })
  )

  it.scopedLive("brings a whole file, and changes nothing the second time", () =>
    Effect.gen(function* () {
      const first = yield* importing(many)
      assert.deepStrictEqual([first.exitCode, first.stdout], [0, "450 tasks imported."])
      const again = yield* importing(many)
      assert.deepStrictEqual(
        [again.exitCode, again.stdout],
        [0, "Nothing changed: all 450 tasks had been imported before."]
      )
      const more = yield* importing([...many, { title: "One more" }], "--json")
      assert.deepInclude(more.json(), { imported: 1, unchanged: 450, failed: [] })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("keeps tasks of one id apart although they come in different requests", () =>
    Effect.gen(function* () {
      const lines = [...many, { id: "M-0", title: "Another" }, { id: "M-0", title: "A third" }]
      const first = (yield* importing(lines, "--json")).json()
      assert.deepInclude(first, { imported: 452, unchanged: 0 })
      assert.deepStrictEqual(
        first.duplicates.map((entry: { id: string; sources: ReadonlyArray<unknown> }) => [
          entry.id,
          entry.sources.length
        ]),
        [["M-0", 3]]
      )
      assert.deepInclude((yield* importing(lines, "--json")).json(), { imported: 0, unchanged: 452 })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("finds dependencies that come later in the file, and names those that don't", () =>
    Effect.gen(function* () {
      const { client } = yield* World
      const lines = [{ id: "F-1", title: "First", dependencies: ["m-449", "nowhere"] }, ...many]
      const result = (yield* importing(lines, "--json")).json()
      assert.deepStrictEqual(result.unresolved, [{ taskId: "F-1", reference: "nowhere" }])
      assert.strictEqual(result.counts.unresolved, 1)
      const { tasks } = yield* client()
      assert.deepStrictEqual((yield* tasks.get({ path: { id: "F-1" } })).dependencies, ["M-449"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("names the lines that fail by their place in the file, and exits with 1", () =>
    Effect.gen(function* () {
      const lines = [...many.slice(0, 300), { id: "bad" }, { title: "Good", priority: "whenever" }]
      const told = yield* importing(lines)
      assert.strictEqual(told.exitCode, 1)
      assert.include(told.stdout, "300 tasks imported, 2 lines failed.")
      assert.include(told.stdout, "line 301: title: is missing")
      assert.include(told.stdout, "line 302: priority: Expected a priority that this board knows")
      const again = yield* importing(lines, "--json")
      assert.deepStrictEqual(
        again.json().failed.map(({ line }: { line: number }) => line),
        [301, 302]
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("leaves out a line that no request can carry", () =>
    Effect.gen(function* () {
      const result = yield* importing(
        [{ title: "Good" }, { title: "Huge", description: "x".repeat(950_000) }],
        "--json"
      )
      assert.strictEqual(result.exitCode, 1)
      assert.deepInclude(result.json(), { imported: 1 })
      assert.deepStrictEqual(result.json().failed, [
        { line: 2, path: "", message: "Expected a line that fits into one request" }
      ])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("needs an admin key and a file", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      const file = join(directory, "tasks.jsonl")
      const none = yield* cliAs("admin", "import", file)
      assert.strictEqual(none.exitCode, 2)
      assert.include(none.stderr, "there is no such file")
      writeFileSync(file, `{"title":"A"}`)
      const agent = yield* cli("import", file)
      assert.strictEqual(agent.exitCode, 3)
      assert.include(agent.stderr, "does not have the permission admin:manage")
      const directoryAsFile = yield* cliAs("admin", "import", directory, "--json")
      assert.strictEqual(directoryAsFile.exitCode, 2)
      assert.deepInclude(directoryAsFile.json(), { code: "USAGE" })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("of an empty file brings nothing", () =>
    Effect.gen(function* () {
      const empty = yield* importing([])
      assert.deepStrictEqual([empty.exitCode, empty.stdout], [0, "0 tasks imported."])
    }).pipe(Effect.provide(world()))
  )

  it("draws how far it is", () => {
    assert.strictEqual(bar(0, 613), `[${"-".repeat(24)}] 0 of 613 lines`)
    assert.strictEqual(bar(613, 613), `[${"#".repeat(24)}] 613 of 613 lines`)
    assert.strictEqual(bar(300, 600), `[${"#".repeat(12)}${"-".repeat(12)}] 300 of 600 lines`)
  })
})
