import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ask, createTask, getTask } from "../../support/Board.ts"
import { temporaryDirectory, World, world, worldIn } from "../../support/World.ts"
import { at, connect, create, introspect, sample, sampleProfile, saveProfile } from "./Trackers.ts"

const refused = (method: string, path: string, body: unknown) =>
  Effect.gen(function* () {
    const { request } = yield* World
    const answer = yield* request(method, path, { as: "admin", body })
    assert.strictEqual(answer.status, 400, JSON.stringify(answer.body))
    assert.deepInclude(answer.body, { error: "Validation failed", code: "VALIDATION_ERROR" })
    return answer.body.details.issues.map(({ path }: { path: string }) => path)
  })

const secrets = new Map([["TRACKER_KEY", Redacted.make("hunter2hunter2")]])

describe("the connection to a tracker", () => {
  it.scopedLive("names its credential and never shows it", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      assert.deepStrictEqual(yield* ask("GET", `${at}/connection`), {
        configured: false,
        enabled: false,
        credentialAvailable: false
      })
      const draft = {
        provider: "github",
        baseUrl: "https://tracker.example/api/v3/",
        project: "acme/board",
        credentialRef: "env:TRACKER_KEY"
      }
      const set = yield* connect(draft)
      assert.deepInclude(set, {
        configured: true,
        provider: "github",
        baseUrl: "https://tracker.example/api/v3",
        project: "acme/board",
        enabled: true,
        credentialRef: "env:TRACKER_KEY",
        credentialAvailable: true,
        updatedBy: "admin"
      })
      assert.deepStrictEqual(yield* ask("GET", `${at}/connection`), set)
      assert.notInclude(JSON.stringify(set), "hunter2")
      // The connection is set as a whole: who changes the address names the credential again.
      const { credentialRef: _, ...bare } = draft
      assert.notProperty(yield* connect(bare), "credentialRef")
      assert.deepInclude(yield* connect({ ...draft, credentialRef: "env:OTHER" }), {
        credentialAvailable: false
      })
      const denied = yield* request("PUT", `${at}/connection`, { as: "agent", body: draft })
      assert.strictEqual(denied.status, 403)
    }).pipe(Effect.provide(world({ secrets })))
  )

  it.scopedLive("refuses a credential itself, and says where it belongs", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const body = { provider: "local", project: "demo", credential: "hunter2hunter2" }
      const answer = yield* request("PUT", `${at}/connection`, { as: "admin", body })
      assert.strictEqual(answer.status, 400)
      assert.include(answer.body.details.issues[0].message, "SERVICE_SECRETS")
      assert.notInclude(JSON.stringify(answer.body), "hunter2")
      assert.deepInclude(yield* ask("GET", `${at}/connection`), { configured: false })
      const { credential: token, ...rest } = body
      assert.deepStrictEqual(yield* refused("PUT", `${at}/connection`, { ...rest, token }), ["token"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("refuses addresses and projects that are none", () =>
    Effect.gen(function* () {
      const draft = { provider: "github", baseUrl: "https://tracker.example", project: "acme/board" }
      const credentialRef = "env:TRACKER_KEY"
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [{ provider: "jira" }, "provider"],
        [{ project: "acme" }, "project"],
        [{ project: "../board" }, "project"],
        [{ project: "acme/board?x" }, "project"],
        [{ project: " " }, "project"],
        [{ baseUrl: "ftp://tracker.example" }, "baseUrl"],
        [{ baseUrl: "https://ann:pw@tracker.example" }, "baseUrl"],
        [{ baseUrl: "http://169.254.169.254/" }, "baseUrl"],
        [{ baseUrl: "https://tracker.example/?a=b" }, "baseUrl"],
        [{ baseUrl: "http://tracker.example", credentialRef }, "baseUrl"],
        [{ credentialRef: "TRACKER_KEY" }, "credentialRef"]
      ]
      for (const [change, path] of wrong) {
        const paths = yield* refused("PUT", `${at}/connection`, { ...draft, ...change })
        assert.deepStrictEqual(paths, [path], JSON.stringify(change))
      }
      // Without a credential there is nothing to see on the way, and this machine is no way at all.
      yield* connect({ ...draft, baseUrl: "http://tracker.example" })
      yield* connect({ ...draft, baseUrl: "http://127.0.0.1:9", credentialRef })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("that is switched off, is missing or has no credential is said, and nobody is called", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const reasonOf = (provider: string, project: string) =>
        Effect.map(
          request("POST", `${at}/introspect`, { as: "admin", body: { provider, project } }),
          ({ body, status }) => [status, body.code, body.details.reason, body.details.retryable]
        )
      const refusal = (reason: string) => [409, "CONFLICT", reason, false]
      assert.deepStrictEqual(yield* reasonOf("github", "acme/board"), refusal("connection-missing"))
      yield* connect({ provider: "local", project: "demo", enabled: false })
      assert.deepStrictEqual(yield* reasonOf("local", "demo"), refusal("connection-disabled"))
      const github = { provider: "github", baseUrl: "http://127.0.0.1:9", project: "acme/board" }
      yield* connect({ ...github, credentialRef: "env:NOBODY" })
      assert.deepStrictEqual(yield* reasonOf("github", "acme/board"), refusal("credential-not-set"))
    }).pipe(Effect.provide(world()))
  )
})

describe("the schema of a tracker", () => {
  it.scopedLive("is there after an introspection, in the form that all trackers share", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const missing = yield* request("GET", `${at}/schema`)
      assert.strictEqual(missing.status, 404)
      assert.include(missing.body.details.remedy, "introspect")
      const schema = yield* introspect("local", "demo")
      assert.deepInclude(schema, { provider: "local", project: "demo" })
      for (const part of [
        "workItemTypes",
        "fields",
        "planningPaths",
        "priorities",
        "states",
        "tags",
        "assignees"
      ]) {
        assert.isNotEmpty(schema[part], part)
      }
      assert.deepInclude(schema.capabilities, { create: true })
      assert.deepStrictEqual(yield* ask("GET", `${at}/schema`), schema)
      assert.deepStrictEqual(yield* refused("POST", `${at}/introspect`, { project: "demo" }), ["provider"])
      assert.deepStrictEqual(
        yield* refused("POST", `${at}/introspect`, { provider: "local", project: ".." }),
        ["project"]
      )
    }).pipe(Effect.provide(world()))
  )
})

describe("a tracker profile", () => {
  it.scopedLive("is stored as it was sent, and replaced as a whole", () =>
    Effect.gen(function* () {
      yield* introspect("local", "demo")
      const stored = yield* saveProfile(sampleProfile)
      assert.deepInclude(stored, sampleProfile)
      const renamed = yield* saveProfile({ ...sampleProfile, name: "Other", enabled: false })
      assert.deepInclude(renamed, { name: "Other", enabled: false, createdAt: stored.createdAt })
      assert.deepStrictEqual(yield* ask("GET", `${at}/profiles`), [renamed])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused where it does not fit the schema, field by field", () =>
    Effect.gen(function* () {
      const path = `${at}/profiles/sample`
      assert.deepStrictEqual(yield* refused("PUT", path, sampleProfile), ["provider"])
      yield* introspect("local", "demo")
      const [title, ...others] = sampleProfile.fieldMappings
      const mapped = (mapping: object) => ({ fieldMappings: [title, mapping] })
      const wrong: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
        [{ id: "other" }, ["id"]],
        [{ provider: "github" }, ["provider"]],
        [{ defaultWorkItemType: "Epic" }, ["defaultWorkItemType"]],
        [{ defaultProjectPath: "other" }, ["defaultProjectPath"]],
        [{ defaultAreaPath: "demo/Now" }, ["defaultAreaPath"]],
        [{ defaultIterationPath: "x" }, ["defaultIterationPath"]],
        [{ backlinkFieldId: "tags" }, ["backlinkFieldId"]],
        [{ fieldMappings: others }, ["fieldMappings"]],
        [{ fieldMappings: {} }, ["fieldMappings"]],
        [mapped({ trackerFieldId: "x", source: "title" }), ["fieldMappings.1.trackerFieldId"]],
        [mapped({ trackerFieldId: "title", source: "id" }), ["fieldMappings.1.trackerFieldId"]],
        [mapped({ source: "title" }), ["fieldMappings.1.trackerFieldId"]],
        [mapped({ trackerFieldId: "tags" }), ["fieldMappings.1.source"]],
        [mapped({ trackerFieldId: "tags", source: "comments" }), ["fieldMappings.1.source"]],
        [mapped({ trackerFieldId: "state", source: "literal" }), ["fieldMappings.1.literalValue"]],
        [
          mapped({ trackerFieldId: "state", source: "literal", literalValue: "Nope" }),
          ["fieldMappings.1.literalValue"]
        ],
        [
          mapped({ trackerFieldId: "tags", source: "labels", literalValue: "x" }),
          ["fieldMappings.1.literalValue"]
        ]
      ]
      for (const [change, paths] of wrong) {
        assert.deepStrictEqual(
          yield* refused("PUT", path, { ...sampleProfile, ...change }),
          paths,
          JSON.stringify(change)
        )
      }
      assert.deepStrictEqual(yield* ask("GET", `${at}/profiles`), [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("reports what no longer fits when the tracker has changed", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* sample
      const validate = ask("POST", `${at}/profiles/sample/validate`)
      assert.deepStrictEqual(yield* validate, { valid: true, errors: [], warnings: [] })
      yield* introspect("local", "elsewhere")
      const report = yield* validate
      assert.isFalse(report.valid)
      assert.deepStrictEqual(
        report.errors.map(({ path }: { path: string }) => path),
        ["defaultProjectPath", "defaultAreaPath", "defaultIterationPath"]
      )
      const { id } = yield* createTask()
      assert.strictEqual((yield* create(id, "sample")).status, 400)
      const unknown = yield* request("POST", `${at}/profiles/nobody/validate`)
      assert.deepInclude(unknown, { status: 404 })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is still there after a restart, as are the connection and the schema", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const read = Effect.all([
        ask("GET", `${at}/connection`),
        ask("GET", `${at}/schema`),
        ask("GET", `${at}/profiles`),
        ask("GET", `${at}/audits`)
      ])
      const before = yield* Effect.gen(function* () {
        yield* connect({ provider: "local", project: "demo" })
        yield* sample
        return yield* read
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      const after = yield* read.pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      assert.deepStrictEqual(after, before)
      assert.lengthOf(after[3], 3)
    })
  )
})

describe("a dry run", () => {
  it.scopedLive("shows what would be sent, and sends nothing", () =>
    Effect.gen(function* () {
      yield* sample
      const secret = `ghp_${"a1B2".repeat(9)}`
      const task = yield* createTask({
        title: "Write it",
        description: "All of it",
        priority: "high",
        labels: ["docs", `key ${secret}`]
      })
      const dryRun = (profileId: string, body: object) =>
        Effect.flatMap(World, ({ request }) =>
          request("POST", `${at}/profiles/${profileId}/dry-run-create`, { body })
        )
      const { body, status } = yield* dryRun("sample", { taskId: task.id })
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { externalWrite: false, errors: [] })
      assert.deepInclude(body.payload, {
        provider: "local",
        project: "demo",
        workItemType: "Task",
        areaPath: "demo/Product",
        iterationPath: "demo/Now"
      })
      assert.deepInclude(body.payload.fields, {
        title: "Write it",
        description: "All of it",
        priority: "High",
        state: "New",
        backlink: `Muster task: ${task.id}`
      })
      assert.notInclude(JSON.stringify(body), secret)
      assert.deepStrictEqual(body.warnings, [])
      assert.deepStrictEqual(yield* getTask(task.id), task)
      assert.strictEqual((yield* dryRun("nobody", { taskId: task.id })).status, 404)
      assert.strictEqual((yield* dryRun("sample", { taskId: "nobody" })).status, 404)
      assert.strictEqual((yield* dryRun("sample", {})).status, 400)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says what a create would be refused for", () =>
    Effect.gen(function* () {
      yield* introspect("local", "demo")
      const [title] = sampleProfile.fieldMappings
      yield* saveProfile({
        ...sampleProfile,
        enabled: false,
        fieldMappings: [
          title ?? {},
          { trackerFieldId: "description", source: "description", required: true },
          { trackerFieldId: "state", source: "status" }
        ]
      })
      const { id } = yield* createTask({ title: "T" })
      const { errors, warnings } = yield* ask("POST", `${at}/profiles/sample/dry-run-create`, {
        body: { taskId: id }
      })
      assert.deepStrictEqual(errors, [
        { path: "enabled", message: "The profile is switched off" },
        { path: "fields.description", message: "The task has no description" }
      ])
      assert.deepStrictEqual(warnings, [
        {
          path: "fields.state",
          message: "The tracker does not know the status of the task: it is left out"
        }
      ])
      const { body, status } = yield* create(id, "sample")
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(body.details.issues, errors)
    }).pipe(Effect.provide(world()))
  )
})
