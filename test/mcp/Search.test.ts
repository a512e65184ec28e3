import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type StubAnswer, stub } from "../support/Stub.ts"
import { toolsWith } from "../support/Tools.ts"

/** A server that answers every search with this. */
const searching = (answer: StubAnswer) =>
  Effect.gen(function* () {
    const { seen, url } = yield* stub(() => answer)
    const { call } = yield* toolsWith({ SERVICE_API_URL: url, SERVICE_API_KEY: "key" })
    return { call, seen }
  })

const found = (count: number, degraded: boolean) => ({
  query: "sail",
  backend: "keyword",
  degraded,
  elapsedMs: 3,
  results: Array.from({ length: count }, (_, index) => ({
    id: `T-${index}`,
    title: "Sail",
    path: `tasks/active/${index}/T-${index}`,
    collection: "tasks-active",
    snippet: `around\nthe cape ${"c".repeat(500)}`,
    score: 1
  }))
})

describe("search", () => {
  it.scopedLive("asks as the contract says, and tells a line for each result", () =>
    Effect.gen(function* () {
      const { call, seen } = yield* searching({ body: found(2, false) })
      const { isError, text } = yield* call("search", { query: " sail ", collections: ["docs"], limit: 2 })
      assert.isFalse(isError, text)
      const [first = "", second = "", ...others] = text.split("\n")
      assert.match(first, /^T-0 \(tasks-active\) Sail: around the cape c+…$/)
      assert.match(second, /^T-1 /)
      assert.deepStrictEqual(others, [])
      assert.isBelow(first.length, 400)
      const [request] = seen
      assert.deepInclude(request, { method: "POST", url: "/api/search", key: "key" })
      assert.deepStrictEqual(JSON.parse(request?.body ?? ""), {
        query: "sail",
        collections: ["docs"],
        limit: 2
      })
    })
  )

  it.scopedLive("says when nothing was found, and when the search was less than was asked for", () =>
    Effect.gen(function* () {
      const nothing = yield* searching({ body: found(0, false) })
      assert.deepStrictEqual(yield* nothing.call("search", { query: "x" }), {
        text: "Nothing found.",
        isError: false
      })
      assert.strictEqual(JSON.parse(nothing.seen[0]?.body ?? "").limit, 10)
      const less = yield* searching({ body: found(1, true) })
      assert.match((yield* less.call("search", { query: "x" })).text, /^\[searched by keyword alone\]\nT-0 /)
      const much = yield* searching({ body: found(50, false) })
      const { text } = yield* much.call("search", { query: "x", limit: 50 })
      assert.isBelow(text.length, 12_200)
      assert.match(text, /call again with a smaller limit\]$/)
    })
  )

  it.scopedLive("says so when the board has no search", () =>
    Effect.gen(function* () {
      const { call } = yield* searching({
        status: 404,
        body: { error: "Nothing is here", code: "NOT_FOUND" }
      })
      assert.deepStrictEqual(yield* call("search", { query: "x" }), {
        text: "This board has no search. Look with list_tasks instead.",
        isError: true
      })
      const blank = yield* call("search", { query: " " })
      assert.include(blank.text, "query: Expected text that is not blank")
    })
  )
})
