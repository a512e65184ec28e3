import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { StoredUnreadable } from "../../src/kernel/Json.ts"
import { columnReader } from "../../src/storage/JsonColumn.ts"

const Thing = Schema.Struct({
  id: Schema.String,
  revision: Schema.Int,
  name: Schema.Trim.pipe(Schema.maxLength(5)),
  colour: Schema.optionalWith(Schema.Literal("red", "blue"), { exact: true })
})

const first = { id: "a", revision: 1, name: "one" }

describe("JSON in a column", () => {
  it("is read by its shape: limits were for who wrote it, and what is new here is passed over", () => {
    const read = columnReader(Thing, "things")
    const old = { id: "a", revision: 1, name: " longer than five ", colour: "blue", more: true }
    assert.deepStrictEqual<unknown>(read(JSON.stringify(old), "a"), old)
    assert.throws(() => read(JSON.stringify({ ...old, colour: "green" }), "a"), StoredUnreadable)
  })

  it("is looked at once for a text", () => {
    const read = columnReader(Thing, "things")
    const json = JSON.stringify(first)
    assert.strictEqual(read(json, "a"), read(JSON.stringify(first), "a"))
    for (let number = 0; number < 1_000; number++) read(JSON.stringify({ ...first, revision: number }), "a")
    assert.deepStrictEqual(read(json, "a"), first)
  })

  it("that does not fit is a defect which names its table, its id and its field, and shows nothing of it", () => {
    const read = columnReader(Thing, "things", "content")
    const secret = "sEcReT"
    for (const [json, field] of [
      [`{"name":"${secret}"`, "content"],
      [`["${secret}"]`, "content"],
      [JSON.stringify({ ...first, revision: secret }), "content.revision"],
      [JSON.stringify({ id: "a", name: secret }), "content.revision"],
      [JSON.stringify({ ...first, colour: secret }), "content.colour"]
    ] as const) {
      try {
        read(json, "thing_1")
        assert.fail(json)
      } catch (error) {
        assert.instanceOf(error, StoredUnreadable)
        assert.include(String(error), `(things thing_1, ${field})`)
        assert.notInclude(String(error), secret)
      }
    }
  })
})
