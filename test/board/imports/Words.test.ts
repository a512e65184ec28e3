import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { priorityOf, statusOf } from "../../../src/board/imports/Words.ts"
import { TaskPriority, TaskStatus } from "../../../src/board/tasks/Task.ts"

/** The same word as somebody else would write it. */
const spelled = (word: string) =>
  fc
    .tuple(
      fc.array(fc.boolean(), { minLength: word.length, maxLength: word.length }),
      fc.constantFrom(" ", "_", "-", " - "),
      fc.constantFrom("", " ")
    )
    .map(([capitals, separator, edge]) => {
      const letters = [...word].map((letter, index) => (capitals[index] ? letter.toUpperCase() : letter))
      return edge + letters.join("").replace(/[ -]/g, separator) + edge
    })

describe("the words of other boards", () => {
  it.prop(
    "mean the same status in every spelling",
    [
      fc
        .constantFrom(...TaskStatus.literals)
        .chain((status) => fc.tuple(fc.constant(status), spelled(status)))
    ],
    ([[status, word]]) => statusOf(word) === status
  )

  it.prop(
    "mean the same priority in every spelling",
    [
      fc
        .constantFrom(...TaskPriority.literals)
        .chain((priority) => fc.tuple(fc.constant(priority), spelled(priority)))
    ],
    ([[priority, word]]) => priorityOf(word) === priority
  )

  it("are read by what they mean", () => {
    const statuses = {
      "To Do": "todo",
      open: "todo",
      doing: "in-progress",
      In_Progress: "in-progress",
      started: "in-progress",
      closed: "done",
      Completed: "done",
      canceled: "cancelled",
      "Won't do": "cancelled",
      Draft: "backlog",
      "On Hold": "blocked"
    }
    for (const [word, status] of Object.entries(statuses)) assert.strictEqual(statusOf(word), status, word)
    const priorities = { "0": "critical", "1": "high", "2": "medium", "3": "low", "4": "low", P0: "critical" }
    for (const [word, priority] of Object.entries(priorities)) {
      assert.strictEqual(priorityOf(word), priority, word)
    }
  })

  it("are not guessed at", () => {
    assert.isUndefined(statusOf("half done"))
    assert.isUndefined(statusOf("constructor"))
    assert.isUndefined(priorityOf("soonish"))
    assert.isUndefined(priorityOf("5"))
  })
})
