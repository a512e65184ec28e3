import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { dividerLine } from "../../../src/board/squad/Divider.ts"
import { SystemEventKind } from "../../../src/board/squad/SquadMessage.ts"

describe("a system event as a divider line", () => {
  it("says what happened and fills the line", () => {
    const line = dividerLine({ kind: "spawned", message: "codex started on task_1" })
    assert.strictEqual(line, `──── spawned · codex started on task_1 ────${"─".repeat(37)}`)
    assert.strictEqual(line.length, 80)
  })

  it("stays whole when it is longer than a line", () => {
    const message = "x".repeat(100)
    assert.strictEqual(dividerLine({ kind: "failed", message }), `──── failed · ${message} ────`)
  })

  it("takes nothing that would break the line or speak to the terminal", () => {
    assert.match(
      dividerLine({ kind: "status", message: "one\r\n\u001b[31mtwo\u202e\u0007\tthree" }),
      /^──── status · one two three ────/
    )
  })

  it("is one printable line, whatever the event says", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(...SystemEventKind.literals),
        FastCheck.string({ unit: "binary" }),
        (kind, message) => {
          const line = dividerLine({ kind, message })
          assert.notMatch(line, /[\p{Cc}\p{Zl}\p{Zp}]/u)
          assert.isTrue(line.startsWith(`──── ${kind} · `) && line.endsWith("────"))
        }
      )
    )
  })
})
