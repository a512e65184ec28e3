import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { documentLimit } from "../../../src/insight/search/Blocks.ts"
import { rankedLimit, searchByWords } from "../../../src/insight/search/KeywordSearch.ts"
import type { Collection } from "../../../src/insight/search/Search.ts"
import type { SearchDocument } from "../../../src/insight/search/SearchDocument.ts"
import { rebuild } from "../../../src/insight/search/SearchRebuild.ts"
import * as SearchRepo from "../../../src/insight/search/SearchRepo.ts"
import { run, sql } from "../../../src/storage/Sql.ts"
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

const found = (query: string, collections: ReadonlyArray<Collection> = []) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(searchByWords(storage, { query, limit: 3, collections }), (all) => all.map(({ id }) => id))
  )

describe("the index", () => {
  it.scopedLive("ranks the newest of thousands that match, and finds the others by another word", () =>
    Effect.gen(function* () {
      yield* put([document("oldest", "Rain rain and an umbrella")])
      yield* put(
        Arr.makeBy(documentLimit + rankedLimit, (index) => document(`t${index}`, "A title of some length"))
      )
      yield* put([document("best", "Rain rain")])
      assert.strictEqual((yield* found("rain"))[0], "best")
      assert.notInclude(yield* found("rain"), "oldest")
      assert.deepStrictEqual(yield* found("umbrella"), ["oldest"])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("finds a document that moves to another collection there, and forgets one that goes", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* put([document("one", "Rain"), document("two", "Rain")])
      yield* put([{ ...document("one", "Rain"), collection: "tasks-archive" }])
      assert.deepStrictEqual(yield* found("rain", ["tasks-archive"]), ["one"])
      assert.deepStrictEqual(yield* found("rain", ["tasks-active"]), ["two"])
      yield* write(SearchRepo.remove("task:two"))
      assert.deepStrictEqual(yield* found("rain"), ["one"])
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("takes in what a board had before the index got this form, and loses nothing meanwhile", () =>
    Effect.gen(function* () {
      const kept = yield* Storage
      yield* put([document("one", "Rain"), document("two", "Sun")])
      yield* kept.write(
        Effect.all([
          run(sql`DELETE FROM search_words`),
          run(sql`DELETE FROM search_blocks`),
          run(sql`UPDATE search_documents SET block = NULL, terms = NULL`)
        ])
      )
      yield* put([document("two", "Sun and rain")])
      assert.deepStrictEqual(yield* found("sun"), ["two"])
      yield* rebuild(kept)
      assert.sameMembers(yield* found("rain"), ["one", "two"])
      yield* rebuild(kept)
      assert.lengthOf(yield* found("again"), 2)
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("ranks all when there are fewer", () =>
    Effect.gen(function* () {
      yield* put([document("oldest", "Rain rain"), document("newest", "A title of some length")])
      assert.deepStrictEqual(yield* found("rain"), ["oldest", "newest"])
    }).pipe(Effect.provide(storage))
  )
})
