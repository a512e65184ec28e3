import { assert, describe, it } from "@effect/vitest"
import { Either, ParseResult, Schema } from "effect"
import { FeaturesPatch } from "../../src/board/settings/Settings.ts"
import { BulkUpdate } from "../../src/board/tasks/Bulk.ts"
import { TaskDraft } from "../../src/board/tasks/Task.ts"
import { issuesOf } from "../../src/kernel/Issues.ts"
import { Limit } from "../../src/kernel/Paging.ts"
import { RuntimeManifestDraft } from "../../src/runs/manifests/RuntimeManifest.ts"
import { RegistrationDraft } from "../../src/runs/registry/Registration.ts"

const issues = <A, I>(schema: Schema.Schema<A, I>, input: unknown) =>
  Either.match(Schema.decodeUnknownEither(schema)(input), {
    onLeft: (error) => issuesOf(ParseResult.ArrayFormatter.formatErrorSync(error)),
    onRight: () => assert.fail("the input is valid")
  })

describe("an issue", () => {
  it("says where a list or an object is due, without the type of what is in it", () => {
    assert.deepStrictEqual(issues(TaskDraft, { title: "T", agents: "codex", git: 1, reviewScores: [] }), [
      { path: "reviewScores", message: "Expected an object" },
      { path: "agents", message: "Expected a list" },
      { path: "git", message: "Expected an object" }
    ])
    assert.deepStrictEqual(issues(TaskDraft, null), [{ path: "", message: "Expected an object" }])
    assert.deepStrictEqual(issues(RuntimeManifestDraft, "null"), [
      { path: "", message: "Expected an object" }
    ])
    assert.deepStrictEqual(issues(RegistrationDraft, ["codex"]), [
      { path: "", message: "Expected an object" }
    ])
    assert.deepStrictEqual(issues(BulkUpdate, { taskIds: {}, updates: 1 }), [
      { path: "taskIds", message: "Expected a list" },
      { path: "updates", message: "Expected an object" }
    ])
    assert.deepStrictEqual(issues(FeaturesPatch, { enforcement: 1 }), [
      { path: "enforcement", message: "Expected an object or null" }
    ])
  })

  it("does not tell somebody who sent a field that it may be absent", () => {
    const Query = Schema.Struct({ limit: Schema.optional(Limit) })
    assert.deepStrictEqual(issues(Query, { limit: "0" }), [
      { path: "limit", message: "Expected an integer from 1 to 1000" }
    ])
  })

  it("keeps the words of the schemas for everything else", () => {
    assert.deepStrictEqual(issues(TaskDraft, { title: " ", status: "late", labels: [""] }), [
      { path: "title", message: "Expected text that is not blank" },
      {
        path: "status",
        message: 'Expected "backlog" or "todo" or "in-progress" or "blocked" or "done" or "cancelled"'
      },
      { path: "labels.0", message: "Expected text that is not blank" }
    ])
  })
})
