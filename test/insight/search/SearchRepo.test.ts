import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import type { SearchDocument } from "../../../src/insight/search/SearchDocument.ts"
import * as SearchRepo from "../../../src/insight/search/SearchRepo.ts"
import { matchesOf } from "../../../src/insight/search/Words.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { storage } from "../../support/TestStorage.ts"

const document = (id: string, title: string): SearchDocument => ({
  key: `task:${id}`,
  id,
  collection: "tasks-active",
  path: `tasks/${id}`,
  title,
  text: "Rain again"
})

const put = (documents: ReadonlyArray<SearchDocument>) =>
  Effect.flatMap(Storage, ({ write }) => write(Effect.forEach(documents, SearchRepo.put, { discard: true })))

const found = (query: string) =>
  Effect.flatMap(Storage, ({ read }) =>
    Effect.map(read(SearchRepo.matches(matchesOf(query, [])?.all ?? "", 3)), (all) => all.map(({ id }) => id))
  )

describe("the index", () => {
  it.scopedLive(
    "ranks the newest five thousand of those that match, and finds the others by another word",
    () =>
      Effect.gen(function* () {
        yield* put([document("oldest", "Rain rain and an umbrella"), document("best", "Rain rain")])
        yield* put(
          Arr.makeBy(SearchRepo.rankedLimit - 1, (index) => document(`t${index}`, "A title of some length"))
        )
        assert.strictEqual((yield* found("rain"))[0], "best")
        assert.notInclude(yield* found("rain"), "oldest")
        assert.deepStrictEqual(yield* found("umbrella"), ["oldest"])
      }).pipe(Effect.provide(storage))
  )

  it.scopedLive("ranks all when there are fewer", () =>
    Effect.gen(function* () {
      yield* put([document("oldest", "Rain rain"), document("newest", "A title of some length")])
      assert.deepStrictEqual(yield* found("rain"), ["oldest", "newest"])
    }).pipe(Effect.provide(storage))
  )
})
