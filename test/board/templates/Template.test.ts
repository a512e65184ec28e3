import { Arbitrary, FastCheck, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { create as createTask } from "../../../src/board/tasks/Task.ts"
import { fillFrom, type TemplateFields } from "../../../src/board/templates/Template.ts"

const words = FastCheck.string({ minLength: 1, maxLength: 5 })
const lists = FastCheck.array(words, { maxLength: 2 })
const fields: FastCheck.Arbitrary<TemplateFields> = FastCheck.record(
  {
    description: FastCheck.oneof(words, FastCheck.constant("")),
    priority: FastCheck.constantFrom("low" as const, "critical" as const),
    type: words,
    project: words,
    assignee: words,
    agents: lists,
    labels: lists,
    acceptanceCriteria: FastCheck.array(FastCheck.record({ text: words, done: FastCheck.boolean() }), {
      maxLength: 2
    }),
    runMode: words,
    executionPolicy: FastCheck.record({
      commitPolicy: FastCheck.constantFrom("forbidden" as const, "allowed" as const)
    })
  },
  { requiredKeys: [] }
)
const task = FastCheck.tuple(fields, Arbitrary.make(Schema.NonEmptyString)).map(([known, title]) =>
  createTask(
    { title, status: "blocked", ...known },
    { id: "task_1", at: "2026-11-21T09:30:00.000Z", by: "codex" }
  )
)

const isEmpty = (value: unknown) =>
  value === undefined || value === "" || (Array.isArray(value) && value.length === 0)

describe("filling a task from a template", () => {
  it("takes the template's word for every field that was empty, and the task's for every other", () => {
    FastCheck.assert(
      FastCheck.property(task, fields, (before, template) => {
        const after: Record<string, unknown> = { ...fillFrom(before, template) }
        const given: Record<string, unknown> = template
        for (const [field, value] of Object.entries(before)) {
          expect(after[field]).toEqual(isEmpty(value) && field in given ? given[field] : value)
        }
        for (const [field, value] of Object.entries(given)) {
          if (!(field in before)) expect(after[field]).toEqual(value)
        }
      })
    )
  })

  it("leaves nothing for a second time to fill", () => {
    FastCheck.assert(
      FastCheck.property(task, fields, (before, template) => {
        const once = fillFrom(before, template)
        expect(fillFrom(once, template)).toEqual(once)
      })
    )
  })

  it("touches neither the title nor the status", () => {
    FastCheck.assert(
      FastCheck.property(task, fields, (before, template) => {
        const foreign = { ...template, title: "Stolen", status: "done" }
        expect(fillFrom(before, foreign)).toMatchObject({ title: before.title, status: before.status })
      })
    )
  })
})
