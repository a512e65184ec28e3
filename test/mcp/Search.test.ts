import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createTask } from "../support/Board.ts"
import { stub } from "../support/Stub.ts"
import { toolsAs, toolsWith } from "../support/Tools.ts"
import { world } from "../support/World.ts"

const long = "around the cape ".repeat(60)

/** Tools of a board whose search answers with this. */
const answering = (results: number, degraded: boolean) =>
  Effect.gen(function* () {
    const { url } = yield* stub(() => ({
      body: {
        query: "sail",
        backend: "keyword",
        degraded,
        elapsedMs: 3,
        results: Array.from({ length: results }, (_, index) => ({
          id: `T-${index}`,
          title: "Sail",
          path: `tasks/T-${index}`,
          collection: "tasks-active",
          snippet: long,
          score: 1
        }))
      }
    }))
    return yield* toolsWith({ SERVICE_API_URL: url, SERVICE_API_KEY: "key" })
  })

describe("search", () => {
  it.scopedLive("finds tasks by their texts, a line for each", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      const sail = yield* createTask({ title: "Mend the sail", description: `${long}\n\nwith twine` })
      yield* createTask({ title: "Scrub the deck" })
      const { isError, text } = yield* call("search", { query: " twine ", collections: ["tasks-active"] })
      assert.isFalse(isError, text)
      assert.match(text, new RegExp(`^${sail.id} \\(tasks-active\\) Mend the sail: .*twine`))
      assert.isBelow(text.length, 400)
      assert.strictEqual((yield* call("search", { query: "anchor" })).text, "Nothing found.")
      assert.strictEqual(
        (yield* call("search", { query: "twine", collections: ["docs"] })).text,
        "Nothing found."
      )
      const blank = yield* call("search", { query: " " })
      assert.isTrue(blank.isError)
      assert.include(blank.text, "query: Expected text that is not blank")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says when the search was less than was asked for, and is bounded", () =>
    Effect.gen(function* () {
      const less = yield* answering(1, true)
      assert.match((yield* less.call("search", { query: "x" })).text, /^\[searched by keyword alone\]\nT-0 /)
      const much = yield* answering(50, false)
      const { text } = yield* much.call("search", { query: "x", limit: 50 })
      assert.isBelow(text.length, 12_200)
      assert.match(text, /call again with a smaller limit\]$/)
    })
  )
})
