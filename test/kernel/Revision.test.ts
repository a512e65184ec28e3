import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck as fc, Schema } from "effect"
import {
  etag,
  Headers,
  precondition,
  RevisionConflict,
  requireCurrent,
  unconditional,
  violated
} from "../../src/kernel/Revision.ts"

const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/)
const revision = fc.integer({ min: 1, max: 1_000_000_000 })

const decode = Schema.decodeUnknownEither(Headers)

/** The revision that the headers expected of a task and did not find. */
const expected = (headers: Record<string, string>, current: { id: string; revision: number }) =>
  violated(precondition("task", Either.getOrThrow(decode(headers))), current)

describe("a precondition", () => {
  it("holds for the entity tag of the revision that it names, however it is written", () => {
    fc.assert(
      fc.property(id, revision, (id, revision) => {
        const tag = etag("task", id, revision)
        for (const written of [tag, `W/${tag}`, tag.slice(1, -1), ` ${tag} `]) {
          assert.isUndefined(expected({ "if-match": written }, { id, revision }))
        }
        assert.isUndefined(expected({ "x-resource-revision": String(revision) }, { id, revision }))
      })
    )
  })

  it("is violated by every other revision, every other task and every other resource", () => {
    fc.assert(
      fc.property(id, id, revision, revision, (id, other, revision, current) => {
        fc.pre(id !== other && revision !== current)
        const tag = etag("task", id, revision)
        assert.strictEqual(expected({ "if-match": tag }, { id, revision: current }), revision)
        assert.strictEqual(expected({ "if-match": tag }, { id: other, revision }), revision)
        assert.strictEqual(
          expected({ "if-match": etag("template", id, revision) }, { id, revision }),
          revision
        )
        assert.strictEqual(
          expected({ "x-resource-revision": String(revision) }, { id, revision: current }),
          revision
        )
      })
    )
  })

  it("holds only when both headers do, if both are sent", () => {
    fc.assert(
      fc.property(id, revision, revision, (id, revision, other) => {
        fc.pre(revision !== other)
        const current = { id, revision }
        const both = (tagged: number, plain: number) => ({
          "if-match": etag("task", id, tagged),
          "x-resource-revision": String(plain)
        })
        assert.isUndefined(expected(both(revision, revision), current))
        assert.strictEqual(expected(both(other, revision), current), other)
        assert.strictEqual(expected(both(revision, other), current), other)
        assert.strictEqual(
          expected({ "if-match": "*", "x-resource-revision": String(other) }, current),
          other
        )
      })
    )
  })

  it("that is * holds for every revision, and is a precondition all the same", () => {
    fc.assert(
      fc.property(id, revision, (id, revision) => {
        const any = precondition("task", Either.getOrThrow(decode({ "if-match": "*" })))
        assert.isTrue(any.given)
        assert.isUndefined(violated(any, { id, revision }))
      })
    )
    assert.isFalse(precondition("task", {}).given)
  })

  it("is refused as a header when it is neither a tag nor *", () => {
    for (const garbage of ["", " ", '"', "abc", '"task:1"', '"task::1"', '"task:a:b"', '"task:a:-1"', "**"]) {
      assert.isTrue(Either.isLeft(decode({ "if-match": garbage })), garbage)
    }
    for (const garbage of ["", "abc", "-1", "1.5", "1e3", "0x1", "1 2", '"1"', "9".repeat(16)]) {
      assert.isTrue(Either.isLeft(decode({ "x-resource-revision": garbage })), garbage)
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^\s*(\*|(W\/)?"?[a-z-]+:[^":]+:\d{1,15}"?)\s*$/.test(text))
        assert.isTrue(Either.isLeft(decode({ "if-match": text })))
      })
    )
  })
})

describe("a write", () => {
  it("passes with the resource when its precondition holds, and is shown the resource as it is when not", () => {
    const thing = { id: "a", revision: 3, name: "Now" }
    const at = (revision: number) =>
      requireCurrent("thing", thing, { given: true, expectations: [{ revision }] })
    assert.deepStrictEqual(Effect.runSync(requireCurrent("thing", thing, unconditional)), thing)
    assert.deepStrictEqual(Effect.runSync(at(3)), thing)
    assert.deepStrictEqual(
      Effect.runSync(Effect.flip(at(2))),
      new RevisionConflict({
        resourceType: "thing",
        resourceId: "a",
        expectedRevision: 2,
        currentRevision: 3,
        current: thing
      })
    )
  })
})
