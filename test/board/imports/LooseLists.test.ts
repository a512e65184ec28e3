import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { looseList, looseNames } from "../../../src/board/imports/LooseLists.ts"

/** A member that nothing in a list could be mistaken for. */
const member = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,20}[A-Za-z0-9]$/)
const members = fc.uniqueArray(member, { maxLength: 6 })

describe("a list of another board", () => {
  it.prop("is the same list in every disguise", [members], ([list]) => {
    const disguises = [
      list,
      [JSON.stringify(list)],
      JSON.stringify(list),
      [`[${list.join(", ")}]`],
      [`[${list.map((text) => `'${text}'`).join(",")}]`],
      list.join(", "),
      [...list, ...list],
      [...list, "", "  "]
    ]
    for (const disguise of disguises) assert.deepStrictEqual(looseList(disguise), list)
  })

  it.prop("keeps what is no text for the schema to refuse", [fc.jsonValue()], ([value]) => {
    const read = looseList(value)
    assert.isTrue(read.every((text) => typeof text !== "string" || text !== ""))
  })

  it("of names drops the sign of a mention and the quotes around it", () => {
    assert.deepStrictEqual(looseNames(["['@claude']"]), ["claude"])
    assert.deepStrictEqual(looseNames('["@ada", "grace"]'), ["ada", "grace"])
    assert.deepStrictEqual(looseNames(["@ada", "ada", "@"]), ["ada"])
  })

  it("takes numbers for texts and leaves the comma inside of a member alone", () => {
    assert.deepStrictEqual(looseList([1, "one, two"]), ["1", "one, two"])
    assert.deepStrictEqual(looseList("[1.0, 2e3, true]"), ["1.0", "2e3", "true"])
    assert.deepStrictEqual(looseList('["a, b", 3]'), ["a, b", "3"])
  })
})
