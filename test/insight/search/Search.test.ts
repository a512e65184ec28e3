import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { temporaryDirectory, World, type WorldOptions, world, worldIn } from "../../support/World.ts"

const shared = sharedWorld()

const ask = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(World, ({ request }) =>
    request(method, path, { as: "admin", ...(body === undefined ? {} : { body }) })
  )

const create = (fields: Record<string, unknown>) =>
  Effect.map(ask("POST", "/api/tasks", { title: "Work", ...fields }), ({ body }) => String(body.id))

const search = (query: string, more: Record<string, unknown> = {}) =>
  Effect.map(ask("POST", "/api/search", { query, ...more }), ({ body }) => body)

const found = (query: string, more: Record<string, unknown> = {}) =>
  Effect.map(search(query, more), ({ results }) => results.map(({ id }: { readonly id: string }) => id))

const withDocs = (directory: string): WorldOptions => ({
  search: { backend: "keyword", docs: directory, manual: undefined, embeddings: undefined }
})

describe("a search", () => {
  it.scopedLive("finds a task as soon as it is written, by its title, its texts and its comments", () =>
    Effect.gen(function* () {
      const id = yield* create({
        title: "Paint the bicycle",
        description: "In turquoise, with a lantern",
        lessonsLearned: "Sandpaper first",
        labels: ["garage"]
      })
      yield* ask("POST", `/api/tasks/${id}/comments`, { text: "The pedals squeak" })
      yield* create({ title: "Something else" })
      for (const query of ["bicycle", "turquoise", "sandpaper", "garage", "squeak", "BICYCLE", "turq", id]) {
        assert.deepStrictEqual(yield* found(query), [id], query)
      }
      const { results, ...answer } = yield* search("bicycle")
      assert.deepInclude(answer, { query: "bicycle", backend: "keyword", degraded: false })
      assert.isNumber(answer.elapsedMs)
      assert.deepInclude(results[0], {
        id,
        title: "Paint the bicycle",
        path: `tasks/${id}`,
        collection: "tasks-active"
      })
      assert.isAbove(results[0].score, 0)
      assert.include((yield* search("lantern")).results[0].snippet, "lantern")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("follows what becomes of a task", () =>
    Effect.gen(function* () {
      const id = yield* create({ title: "Feed the walrus" })
      yield* ask("PATCH", `/api/tasks/${id}`, { title: "Feed the penguin" })
      assert.deepStrictEqual(yield* found("walrus"), [])
      assert.deepStrictEqual(yield* found("penguin"), [id])
      yield* ask("POST", `/api/tasks/${id}/archive`)
      assert.deepStrictEqual(yield* found("penguin", { collections: ["tasks-active"] }), [])
      assert.deepStrictEqual(yield* found("penguin", { collections: ["tasks-archive"] }), [id])
      assert.deepStrictEqual(yield* found("penguin", { collections: [] }), [id])
      yield* ask("DELETE", `/api/tasks/${id}`)
      assert.deepStrictEqual(yield* found("penguin"), [])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("lets no text say which collection it is in", () =>
    Effect.gen(function* () {
      const id = yield* create({ title: "Swim", description: "xdocsx tasks-archive docs collection place" })
      assert.deepStrictEqual(yield* found("swim", { collections: ["docs", "tasks-archive"] }), [])
      assert.deepStrictEqual(yield* found("swim", { collections: ["docs", "tasks-active"] }), [id])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("prefers titles and documents that have all words, and takes any when none has all", () =>
    Effect.gen(function* () {
      const inText = yield* create({ title: "Errands", description: "buy marmalade" })
      const inTitle = yield* create({ title: "Marmalade", description: "for breakfast" })
      assert.deepStrictEqual(yield* found("marmalade"), [inTitle, inText])
      assert.deepStrictEqual(yield* found("marmalade breakfast"), [inTitle])
      assert.sameMembers(yield* found("marmalade zeppelin"), [inTitle, inText])
      assert.deepStrictEqual(yield* found("zeppelin"), [])
      assert.deepStrictEqual(yield* found("marmalade", { limit: 1 }), [inTitle])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("prefers whole words to their beginnings, and takes no beginning of two letters", () =>
    Effect.gen(function* () {
      const begun = yield* create({ title: "Logarithm logarithm", description: "logarithms" })
      const whole = yield* create({
        title: "Firewood",
        description: "One more log for the fire, and then to bed"
      })
      const asian = yield* create({ title: "日本語" })
      const { results } = yield* search("log")
      assert.deepStrictEqual(
        results.map(({ id }: { readonly id: string }) => id),
        [whole, begun]
      )
      assert.isAtLeast(results[0].score, results[1].score)
      assert.deepStrictEqual(yield* found("log", { limit: 1 }), [whole])
      assert.deepStrictEqual(yield* found("lo"), [])
      assert.deepStrictEqual(yield* found("日"), [asian])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("finds words inside of texts without spaces, and shows them whole", () =>
    Effect.gen(function* () {
      const chinese = yield* create({
        title: "部署计划",
        description: `${"前言。".repeat(300)}我们需要数据库迁移工具。`
      })
      const japanese = yield* create({
        title: "リリース手順",
        description: "本番環境へデプロイする前に確認する"
      })
      const korean = yield* create({ title: "학교에서 배운 것", description: "데이터베이스를 옮긴다" })
      const thai = yield* create({ title: "ย้ายฐานข้อมูล", description: "ตรวจสอบระบบก่อนใช้งาน" })
      const picture = yield* create({ title: "Ship it 🚀", description: "👩‍💻 and ☕️" })
      const cases: ReadonlyArray<readonly [string, string]> = [
        ["数据库", chinese],
        ["迁移", chinese],
        ["划", chinese],
        ["デプロイ", japanese],
        ["ﾃﾞﾌﾟﾛｲ", japanese],
        ["確認", japanese],
        ["手順", japanese],
        ["학교", korean],
        ["데이터", korean],
        ["ข้อมูล", thai],
        ["ระบบ", thai],
        ["🚀", picture],
        ["👩‍💻", picture],
        ["☕", picture]
      ]
      for (const [query, id] of cases) assert.deepStrictEqual(yield* found(query), [id], query)
      assert.deepStrictEqual(yield* found("划数"), [])
      const { results } = yield* search("迁移工具")
      assert.include(results[0].snippet, "数据库迁移工具")
      assert.isTrue(results[0].snippet.isWellFormed())
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("compares without accents, and takes what looks like syntax literally", () =>
    Effect.gen(function* () {
      const id = yield* create({ title: "Réserver une salle à Zürich", description: "C++ and a:b" })
      for (const query of [
        "reserver",
        "ZURICH",
        "Zürich",
        "C++",
        "a:b",
        'salle" OR "x',
        "(salle)",
        "salle*"
      ]) {
        assert.include(yield* found(query), id, query)
      }
      const hostile = [
        '"',
        "*",
        "NEAR(",
        "AND",
        "title:",
        "a AND",
        "^",
        "- -",
        "{title}",
        "'; DROP TABLE tasks"
      ]
      for (const query of hostile) {
        assert.strictEqual((yield* ask("POST", "/api/search", { query })).status, 200, query)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("neither shows nor finds a secret, whatever field it was written into", () =>
    Effect.gen(function* () {
      const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
      const id = yield* create({
        title: `Zebra ${secret}`,
        description: `Zebra ${secret}`,
        acceptanceCriteria: [{ text: `Zebra with ${secret}`, done: false }],
        labels: [secret],
        agents: [secret],
        assignee: secret,
        project: secret
      })
      yield* ask("POST", `/api/tasks/${id}/comments`, { text: `Zebra ${secret}` })
      yield* ask("PUT", `/api/tasks/${id}/progress`, { content: `Zebra ${secret}` })
      const { results } = yield* search("zebra")
      assert.lengthOf(results, 1)
      assert.notInclude(JSON.stringify(results), secret)
      assert.deepStrictEqual(yield* found(secret), [])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is open to readers and refuses what it does not know", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const reader = yield* request("POST", "/api/search", { as: "read-only", body: { query: "x" } })
      assert.strictEqual(reader.status, 200)
      const cases: ReadonlyArray<readonly [unknown, string]> = [
        [{}, "query"],
        [{ query: " " }, "query"],
        [{ query: "\u202e" }, "query"],
        [{ query: "x".repeat(501) }, "query"],
        [{ query: "x", limit: 101 }, "limit"],
        [{ query: "x", collections: ["x"] }, "collections.0"],
        [{ query: "x", backend: "x" }, "backend"]
      ]
      for (const [body, path] of cases) {
        const answer = yield* ask("POST", "/api/search", body)
        assert.strictEqual(answer.status, 400)
        assert.strictEqual(answer.body.details.issues[0].path, path)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("knows after a restart what was written before, by kill or not", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const id = yield* Effect.provide(create({ title: "Water the cactus" }), worldIn(directory))
      assert.deepStrictEqual(yield* Effect.provide(found("cactus"), worldIn(directory)), [id])
    })
  )
})

describe("the documents", () => {
  it.scopedLive("are the Markdown files of a folder, by their headings, without their secrets", () =>
    Effect.gen(function* () {
      const docs = yield* temporaryDirectory
      const elsewhere = yield* temporaryDirectory
      yield* Effect.sync(() => {
        mkdirSync(join(docs, "guide"))
        writeFileSync(
          join(docs, "guide", "setup.md"),
          "# Setting up\n\nUse the spanner. token=ghp_0123456789abcdefghijABCDEFGHIJ012345\n"
        )
        writeFileSync(join(docs, "notes.txt"), "The spanner is not Markdown")
        writeFileSync(join(elsewhere, "secret.md"), "# Secret\n\nThe spanner of somebody else")
        symlinkSync(join(elsewhere, "secret.md"), join(docs, "link.md"))
        symlinkSync(elsewhere, join(docs, "linked"))
      })
      yield* Effect.gen(function* () {
        yield* ask("POST", "/api/search/index/refresh", {})
        const { results } = yield* search("spanner")
        assert.lengthOf(results, 1)
        assert.deepInclude(results[0], {
          id: "docs/guide/setup.md",
          path: "docs/guide/setup.md",
          title: "Setting up",
          collection: "docs"
        })
        assert.notInclude(JSON.stringify(results), "ghp_")
        assert.deepStrictEqual(yield* found("ghp_0123456789abcdefghijABCDEFGHIJ012345"), [])
      }).pipe(Effect.provide(world(withDocs(docs))))
    })
  )

  it.scopedLive("are read again by a refresh, which counts what has changed", () =>
    Effect.gen(function* () {
      const docs = yield* temporaryDirectory
      const write = (name: string, text: string) => Effect.sync(() => writeFileSync(join(docs, name), text))
      const refresh = Effect.map(
        ask("POST", "/api/search/index/refresh", { embed: false }),
        ({ body }) => body
      )
      yield* Effect.gen(function* () {
        yield* refresh
        yield* write("a.md", "# One\n\nAardvark")
        yield* write("b.md", "# Two\n\nBuffalo")
        const first = yield* refresh
        assert.deepInclude(first, { backend: "keyword", updated: 2, embedded: 0, remaining: 0, commands: [] })
        assert.deepInclude(yield* refresh, { updated: 0 })
        yield* write("a.md", "# One\n\nAntelope")
        yield* Effect.sync(() => rmSync(join(docs, "b.md")))
        assert.deepInclude(yield* refresh, { updated: 2 })
        assert.deepStrictEqual(yield* found("aardvark"), [])
        assert.deepStrictEqual(yield* found("buffalo"), [])
        assert.deepStrictEqual(yield* found("antelope"), ["docs/a.md"])
      }).pipe(Effect.provide(world(withDocs(docs))))
    })
  )

  it.scopedLive("hold the manual of this product", () =>
    Effect.gen(function* () {
      const manual = yield* temporaryDirectory
      yield* Effect.sync(() => {
        writeFileSync(join(manual, "README.md"), "# Muster\n\nA board for people and agents")
        mkdirSync(join(manual, "docs"))
        writeFileSync(join(manual, "docs", "gates.md"), "# Gates\n\nWhat stands in the way of people")
      })
      yield* Effect.gen(function* () {
        yield* ask("POST", "/api/search/index/refresh", {})
        const inDocs = (query: string) => found(query, { collections: ["docs"] })
        assert.deepStrictEqual(yield* inDocs("people agents"), ["muster/README.md"])
        assert.deepStrictEqual(yield* inDocs("stands in the way"), ["muster/docs/gates.md"])
      }).pipe(
        Effect.provide(
          world({ search: { backend: "keyword", docs: undefined, manual, embeddings: undefined } })
        )
      )
    })
  )
})
