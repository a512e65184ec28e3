import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { References } from "../../../src/board/imports/References.ts"

const number = fc.stringMatching(/^[1-9]\d{0,2}(\.\d{1,2})?$/)
const prefix = fc.constantFrom("BACK-", "task-", "T_", "bd#")
const ids = fc.uniqueArray(
  fc.tuple(prefix, number).map((parts) => parts.join("")),
  { minLength: 1, maxLength: 20 }
)

describe("a reference", () => {
  it.prop("by its exact id finds the task, whatever others are called", [ids], ([known]) => {
    const references = new References(known.map((id) => ({ id })))
    for (const id of known) assert.strictEqual(references.find(id), id)
  })

  it.prop("finds a task that bears its name, or none", [ids, fc.tuple(prefix, number)], ([known, [p, n]]) => {
    const found = new References(known.map((id) => ({ id }))).find(p + n)
    const bearers = known.filter((id) => new RegExp(`[^\\d.]${n.replace(".", "\\.")}$`).test(id))
    if (known.includes(p + n)) assert.strictEqual(found, p + n)
    else if (bearers.length === 1) assert.strictEqual(found, bearers[0])
    else if (bearers.length === 0) assert.isUndefined(found)
    else assert.isTrue(found === undefined || found.toLowerCase() === (p + n).toLowerCase())
  })

  it("is matched by case, then by the number at the end", () => {
    const references = new References([{ id: "BACK-118" }, { id: "BACK-100.1" }, { id: "BACK-1" }])
    assert.strictEqual(references.find("back-118"), "BACK-118")
    assert.strictEqual(references.find("task-118"), "BACK-118")
    assert.strictEqual(references.find("118"), "BACK-118")
    assert.strictEqual(references.find("task-100.1"), "BACK-100.1")
    assert.strictEqual(references.find("#1"), "BACK-1")
  })

  it("that fits several tasks finds none of them", () => {
    const references = new References([{ id: "WEB-5" }, { id: "APP-5" }, { id: "web-6" }, { id: "Web-6" }])
    assert.isUndefined(references.find("task-5"))
    assert.isUndefined(references.find("WEB-6"))
    assert.strictEqual(references.find("APP-5"), "APP-5")
  })

  it("finds a task by the id of its line when the task got another one", () => {
    const references = new References([{ id: "task_5d8v0kq2m1x7c912", sourceId: "sail/2" }])
    assert.strictEqual(references.find("sail/2"), "task_5d8v0kq2m1x7c912")
    assert.isUndefined(references.find("912"))
  })

  it("means one task although two hold its id", () => {
    const references = new References([{ id: "BACK-3" }, { id: "BACK-3", sourceId: "BACK-3#2" }])
    assert.strictEqual(references.find("task-3"), "BACK-3")
  })
})
