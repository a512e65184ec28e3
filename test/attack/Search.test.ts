import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { searchByWords } from "../../src/insight/search/KeywordSearch.ts"
import type { SearchDocument } from "../../src/insight/search/SearchDocument.ts"
import * as SearchRepo from "../../src/insight/search/SearchRepo.ts"
import { snippetLimit } from "../../src/insight/search/Snippet.ts"
import { askedOf, fold, queryLimit, termsOf } from "../../src/insight/search/Terms.ts"
import { Storage, type StorageService } from "../../src/storage/Storage.ts"
import { byForm, isLong } from "../support/Form.ts"
import { storage } from "../support/TestStorage.ts"
import { World, world } from "../support/World.ts"

/** The long form puts more copies of everything onto the board, and more made-up texts to the questions. */
const copies = byForm({ short: 2, middle: 10, full: 40 })
const plainTasks = byForm({ short: 5_000, middle: 10_000, full: 20_000 })
const runs = byForm({ short: 100, middle: 500, full: 2_000 })
const timeout = isLong ? 600_000 : 30_000

const size = 100_000
const filled = (make: (index: number) => string): string => {
  let text = ""
  for (let index = 0; text.length < size; index += 1) text += make(index)
  return text.slice(0, size)
}
const letters = [..."abcdefghijklmnopqrstuvwxyz"]

/** Texts that are a lot of work for whoever counts, ranks, folds or cuts. */
const documents: Readonly<Record<string, string>> = {
  "one word": filled(() => "the "),
  "words of one letter": filled((index) => `${letters[index % 26]} `),
  "words with one beginning": filled((index) => `aaaa${index.toString(36)} `),
  "no spaces": "x".repeat(size),
  "Chinese, all pairs": filled((index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000))),
  "one Chinese character": "一".repeat(size),
  "marks on marks": "\u0301\u0316".repeat(size / 2),
  "marks on one letter": `a${"\u0316\u0301".repeat(size / 2)}`.slice(0, size),
  ligatures: "\ufdfa\u3316 ".repeat(size / 3),
  pictures: "👩‍💻🏽".repeat(size / 7),
  "half characters": "\ud83d".repeat(size),
  "quotes and operators": filled(() => `"the" OR NOT (NEAR) * ^ - {title} : `),
  controls: filled((index) => `the\u0000\u0001\u200b\u202e${index % 9}`),
  "a megabyte": filled(() => "the common thing ").repeat(10)
}

/** Questions that are a lot of work, or that look like syntax. */
const questions: ReadonlyArray<string> = [
  "the",
  "the ".repeat(32),
  "the ".repeat(125),
  "common",
  "common task",
  letters.join(" "),
  letters.map((letter) => `${letter}${letter} the common`).join(" "),
  "aaa",
  "aaaa",
  "aaaa1",
  "a*",
  "x".repeat(500),
  "一",
  "一丁",
  (documents["Chinese, all pairs"] ?? "").slice(0, 500),
  "\u0301\u0316".repeat(250),
  `a${"\u0316\u0301".repeat(249)}`,
  "\ufdfa".repeat(500),
  "👩‍💻",
  "\ud83d",
  "the\0common",
  '"*"',
  '"',
  '""',
  "*",
  "^the",
  "- -",
  "NEAR(",
  'NEAR("the" common, 5)',
  "the OR common",
  "NOT the",
  "AND",
  "title:common",
  "{title text}: the",
  "-title: the",
  "common + task",
  "000001the",
  "'; DROP TABLE search_words; --",
  "…",
  "\u202e\u200b"
]

const documentOf = (key: string, title: string, text: string): SearchDocument => ({
  key,
  id: key,
  collection: "tasks-active",
  path: `tasks/${key}`,
  title,
  text
})

const board = Effect.gen(function* () {
  const { write } = yield* Storage
  for (let copy = 0; copy < copies; copy += 1) {
    for (const [name, text] of Object.entries(documents)) {
      yield* write(SearchRepo.put(documentOf(`${name} ${copy}`, name, text)))
    }
  }
  for (let from = 0; from < plainTasks; from += 500) {
    yield* write(
      Effect.forEach(
        Array.from({ length: 500 }, (_, index) => from + index),
        (index) => SearchRepo.put(documentOf(`t${index}`, `A common task ${index}`, "What all say")),
        { discard: true }
      )
    )
  }
})

/** What no query takes for syntax. */
const plainTerm = /^[\p{L}\p{N}\p{M}\p{Co}\p{Extended_Pictographic}\p{RI}]+$/u

/** The store, with a count of the slices that a search takes. */
const counted = (kept: StorageService) => {
  let slices = 0
  const counting: StorageService = {
    ...kept,
    slice: (query) => {
      slices += 1
      return kept.slice(query)
    }
  }
  return { counting, slices: () => slices }
}

describe("a search under attack", () => {
  it.scopedLive(
    "does bounded work in each slice, and takes a bounded number of them",
    () =>
      Effect.gen(function* () {
        const kept = yield* Storage
        yield* board
        // What one slice may look at is a block: a bounded number of documents, with a bounded number of terms in all.
        const blocks = yield* kept.read(SearchRepo.blocks)
        for (const { documents, terms } of blocks) {
          assert.isAtMost(documents, 16_384)
          assert.isAtMost(terms, 1_048_576)
        }
        for (const query of questions) {
          const { counting, slices } = counted(kept)
          const found = yield* searchByWords(counting, { query, limit: 100, collections: [] })
          // Three passes over the blocks, then what is shown: five documents in a slice, and ten long texts by themselves.
          assert.isAtMost(slices(), 3 * blocks.length + 20 + 10, query)
          assert.isAtMost(found.length, 100)
          const scores = found.map(({ score }) => score)
          assert.deepStrictEqual(
            scores,
            scores.toSorted((a, b) => b - a),
            query
          )
          for (const { snippet } of found) assert.isAtMost(snippet.length, snippetLimit + 2)
          assert.deepStrictEqual(
            yield* searchByWords(kept, { query, limit: 100, collections: [] }),
            found,
            `${query} is answered alike`
          )
        }
      }).pipe(Effect.provide(storage)),
    timeout
  )

  it(
    "takes a bounded number of terms out of any text and any question",
    () => {
      const hostile = fc.oneof(
        ...Object.values(documents).map((text) => fc.constant(text.slice(0, 2_000))),
        fc.string({ unit: "binary", maxLength: 500 }),
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc
          .array(
            fc.constantFrom("\u0301", "\u0316", "か", "\u3099", "a", " ", "한", "👩", "\u200d", "ﷺ", "\0"),
            {
              maxLength: 500
            }
          )
          .map((parts) => parts.join(""))
      )
      fc.assert(
        fc.property(hostile, (text) => {
          const terms = termsOf(text)
          const counts = new Map<string, number>()
          for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
          assert.isTrue([...counts.values()].every((count) => count <= 8))
          assert.isTrue([...counts.keys()].every((term) => term.length <= 64 && plainTerm.test(term)))
          assert.strictEqual(fold(fold(text)), fold(text))
          const asked = askedOf(text)
          assert.isAtMost(asked?.terms.length ?? 0, queryLimit)
          // Whatever somebody asks for stands in the document that they took it from.
          for (const term of asked?.terms ?? []) assert.isTrue(counts.has(term), term)
        }),
        { numRuns: runs }
      )
      for (const [name, text] of Object.entries(documents))
        assert.isAtMost(termsOf(text).length, 20_000, name)
    },
    timeout
  )

  it.scopedLive(
    "answers every question over HTTP with what was asked for, or names what is wrong",
    () =>
      Effect.gen(function* () {
        const { request } = yield* World
        for (const [name, text] of Object.entries(documents)) {
          yield* request("POST", "/api/tasks", { body: { title: name, description: text.slice(0, 20_000) } })
        }
        const said = yield* request("POST", "/api/chat/squad", {
          body: { agent: "a", message: "the 一丁 %_" }
        })
        assert.strictEqual(said.status, 201)
        for (const query of questions) {
          const answer = yield* request("POST", "/api/search", {
            as: "read-only",
            body: { query, limit: 100 }
          })
          if (answer.status === 400) assert.strictEqual(answer.body.details.issues[0].path, "query")
          else {
            assert.strictEqual(answer.status, 200, query)
            for (const { snippet } of answer.body.results) assert.isTrue(snippet.isWellFormed(), query)
          }
          const q = encodeURIComponent(query.toWellFormed().slice(0, 100))
          for (const path of [
            `chat/squad/search?q=${q}`,
            `observations?q=${q}`,
            `observations/search?query=${q}`
          ]) {
            const found = yield* request("GET", `/api/${path}`, { as: "read-only" })
            assert.include([200, 400], found.status, path)
          }
        }
      }).pipe(Effect.provide(world())),
    timeout
  )
})
