import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { create } from "../../../src/board/tasks/Task.ts"
import { sampleOf } from "../../../src/integrations/trackers/local/LocalSample.ts"
import { draftOf } from "../../../src/integrations/trackers/profiles/Payload.ts"
import { FieldSource, type TrackerProfile } from "../../../src/integrations/trackers/profiles/Profile.ts"
import { meant, type TrackerSchema } from "../../../src/integrations/trackers/profiles/TrackerSchema.ts"
import { redactText } from "../../../src/kernel/Redaction.ts"

const schema: TrackerSchema = {
  provider: "local",
  project: "demo",
  introspectedAt: "2026-11-21T09:00:00.000Z",
  ...sampleOf("demo")
}

const texts = FastCheck.oneof(
  FastCheck.string({ maxLength: 600, unit: "grapheme" }),
  FastCheck.constantFrom("high", "New", "ACTIVE", "password=hunter2hunter2", `ghp_${"a1B2".repeat(9)}`)
)

const tasks = FastCheck.record({
  title: texts,
  description: texts,
  assignee: texts,
  labels: FastCheck.array(texts, { maxLength: 5 }),
  agents: FastCheck.array(texts, { maxLength: 5 })
}).map((fields) => create(fields, { id: "T-1", at: "2026-11-21T09:00:00.000Z", by: "ann" }))

const profiles = FastCheck.record({
  sources: FastCheck.array(FastCheck.constantFrom(...FieldSource.literals), { minLength: 7, maxLength: 7 }),
  required: FastCheck.boolean(),
  literalValue: texts
}).map(
  ({ literalValue, required, sources }): TrackerProfile => ({
    id: "sample",
    name: "Sample",
    provider: "local",
    enabled: true,
    defaultWorkItemType: "Task",
    fieldMappings: schema.fields.map(({ id }, index) => {
      const source = sources[index] ?? "title"
      return { trackerFieldId: id, source, required, ...(source === "literal" ? { literalValue } : {}) }
    }),
    createdAt: schema.introspectedAt,
    updatedAt: schema.introspectedAt,
    updatedBy: "ann"
  })
)

describe("what is sent of a task", () => {
  it("is what its tracker allows, holds no secrets, and lacks nothing that is required, whatever the task", () => {
    FastCheck.assert(
      FastCheck.property(profiles, tasks, (profile, task) => {
        const { errors, payload } = draftOf(profile, schema, task)
        for (const field of schema.fields) {
          const value = payload.fields[field.id]
          const all = value === undefined ? [] : typeof value === "string" ? [value] : value
          if (field.type === "list") assert.notTypeOf(value, "string", field.id)
          for (const one of all) {
            assert.strictEqual(redactText(one), one, field.id)
            assert.isTrue(one.isWellFormed(), field.id)
            assert.isAtMost(one.length, field.maxLength ?? Number.POSITIVE_INFINITY, field.id)
            if (field.allowedValues !== undefined) assert.include(field.allowedValues, one)
          }
          const mapping = profile.fieldMappings.find(({ trackerFieldId }) => trackerFieldId === field.id)
          if (value === undefined && mapping?.required === true) {
            assert.isTrue(
              errors.some(({ path }) => path === `fields.${field.id}` || path.startsWith("fieldMappings")),
              field.id
            )
          }
        }
        // The same task is sent in the same way each time: a dry run can be believed.
        assert.deepStrictEqual(draftOf(profile, schema, task).payload, payload)
      })
    )
  })

  it("is the allowed value that was meant, the plainest first", () => {
    const allowed = ["priority: high", "High", "area/ui", "p1"]
    const cases: ReadonlyArray<readonly [string, string | undefined]> = [
      ["High", "High"],
      ["high", "High"],
      ["UI", "area/ui"],
      ["P1", "p1"],
      ["priority: HIGH", "priority: high"],
      ["low", undefined],
      ["", undefined]
    ]
    for (const [value, expected] of cases) assert.strictEqual(meant(allowed, value), expected, value)
  })
})
