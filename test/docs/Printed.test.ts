import { assert, describe, it } from "@effect/vitest"
import { difference, type Names } from "./Printed.ts"

const differs = (page: string, here: string, names: Names = new Map()) =>
  difference(page, here, names) !== undefined

describe("what a page says that a command prints", () => {
  it("is compared letter by letter", () => {
    assert.isFalse(differs("2 tasks imported.", "2 tasks imported."))
    for (const here of ["3 tasks imported.", "2 tasks imported", "2 tasks imported.\nand more", ""]) {
      assert.isTrue(differs("2 tasks imported.", here), here)
    }
  })

  it("may differ in times, digests, durations and sizes, and in nothing that only looks like them", () => {
    const page = "at 2026-01-01T00:00:00.000Z for 2s, 0.5 MB"
    assert.isFalse(differs(page, "at 2027-12-31T23:59:59.999Z for 14s, 1.0 MB"))
    assert.isTrue(differs(page, "at noon for 2s, 0.5 MB"))
    assert.isTrue(differs("revision 2", "revision 3"))
  })

  it("names ids, and the same id stands for the same thing", () => {
    const names: Names = new Map()
    const [one, other] = ["task_0000000000000001", "task_0000000000000002"]
    assert.isFalse(differs("Made task_5d8v0kq2m1x7c9zr", `Made ${one}`, names))
    assert.strictEqual(names.get("task_5d8v0kq2m1x7c9zr"), one)
    assert.isTrue(differs("Done task_5d8v0kq2m1x7c9zr", `Done ${other}`, names))
    assert.isTrue(differs("Done task_5d8v0kq2m1x7c9zr", "Done hook_0000000000000001"), "another kind of id")
  })

  it("leaves out what … stands for: within a line, or whole lines", () => {
    assert.isFalse(differs("Key: …", "Key: abc"))
    assert.isTrue(differs("Key: …", "Key: abc\nand more"))
    assert.isFalse(differs("a\n…\nd", "a\nb\nc\nd"))
    assert.isTrue(differs("a\n…\nd", "a\nb\nc"))
  })
})
