import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, FastCheck as fc, Schema } from "effect"
import { previewOf } from "../../../src/runs/artifacts/Artifact.ts"
import { lookForLines } from "../../../src/runs/artifacts/LineRange.ts"
import { RunJournals } from "../../../src/runs/journal/RunJournals.ts"
import { Blobs } from "../../../src/storage/blobs/Blobs.ts"
import { run, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { launched } from "../../support/Journals.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { type RequestOptions, World } from "../../support/World.ts"

const shared = sharedWorld()

/** An artifact of a run, and how to ask for it. */
const anArtifact = (kind: string, payload: unknown, runId?: string) =>
  Effect.gen(function* () {
    const { request } = yield* World
    const { append } = yield* RunJournals
    const { body: task } = yield* request("POST", "/api/tasks", { body: { title: "Put out" } })
    const attemptId = yield* launched(task.id, runId === undefined ? {} : { runId })
    yield* append(attemptId, [{ kind, payload }])
    const { body } = yield* request("GET", `/api/agents/${task.id}/attempts/${attemptId}/events`)
    const [event] = body.events
    const bound = `runId=${runId ?? attemptId}&attemptId=${attemptId}`
    const path = `/api/agents/${task.id}/output-artifacts/${event.payload.artifactId}`
    return {
      attemptId,
      taskId: String(task.id),
      event,
      path,
      bound,
      read: (query = "", options?: RequestOptions) => request("GET", `${path}?${bound}${query}`, options),
      download: (query = "", options?: RequestOptions) =>
        request("GET", `${path}/download?${bound}${query}`, options)
    }
  })

const output = (text: string) => anArtifact("output", { stream: "stdout", text })

describe("an output artifact", () => {
  it.scopedLive("is described with a preview, and shows no content that nobody asked for", () =>
    Effect.gen(function* () {
      const text = "ä line\n".repeat(5_000)
      const { attemptId, event, read, taskId } = yield* anArtifact(
        "output",
        { stream: "stderr", text },
        "run_7"
      )
      const { body, status } = yield* read()
      assert.strictEqual(status, 200)
      const { preview, ...rest } = body
      assert.deepStrictEqual(rest, {
        schemaVersion: "run-output-artifact/v1",
        id: event.payload.artifactId,
        taskId,
        attemptId,
        runId: "run_7",
        mediaType: "text/plain; charset=utf-8",
        originalBytes: Buffer.byteLength(text),
        sizeBytes: Buffer.byteLength(text)
      })
      assert.deepStrictEqual(preview, event.payload.preview)
      assert.isTrue(text.startsWith(preview.text))
      assert.strictEqual(event.payload.stream, "stderr")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is read by bytes, also where they cut a character, and beyond its end", () =>
    Effect.gen(function* () {
      const { read } = yield* output(`abcdäöü${"x ".repeat(10_000)}`)
      const content = (query: string) =>
        Effect.map(read(`&operation=byte-range${query}`), ({ body }) => body.content)
      assert.strictEqual(yield* content("&offset=2&length=3"), "cd\ufffd")
      assert.strictEqual(yield* content("&offset=2&length=4"), "cdä")
      assert.strictEqual(yield* content("&offset=5&length=3"), "\ufffdö")
      assert.strictEqual(yield* content("&offset=1000000&length=3"), "")
      assert.strictEqual((yield* content("")).length, 20_007)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is read by lines, also when it is one line of megabytes", () =>
    Effect.gen(function* () {
      const lines = Array.from({ length: 4_000 }, (_, index) => `line ${index + 1}`)
      const { read } = yield* output(`${lines.join("\n")}\n`)
      const of = (query: string) =>
        Effect.map(read(`&operation=line-range${query}`), ({ body }) => body.content)
      assert.deepStrictEqual(yield* of("&startLine=2&lineCount=1"), ["line 2"])
      assert.deepStrictEqual(yield* of("&startLine=3999&lineCount=100"), ["line 3999", "line 4000"])
      assert.deepStrictEqual(yield* of("&startLine=4001"), [])
      assert.strictEqual((yield* of("")).length, 100)
      const endless = yield* output("no end ".repeat(300_000))
      const { body } = yield* endless.read("&operation=line-range&startLine=1&lineCount=2")
      assert.strictEqual(body.truncated, true)
      assert.strictEqual(body.content.length, 1)
      assert.strictEqual(body.content[0].length, 1_048_576)
      assert.deepStrictEqual((yield* endless.read("&operation=line-range&startLine=2")).body.content, [])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is read by JSONPath, where it is JSON", () =>
    Effect.gen(function* () {
      const pad = "p ".repeat(10_000)
      const { read } = yield* anArtifact("tool_result", { a: { b: [1, { c: null }] }, pad })
      const by = (path: string) =>
        Effect.map(read(`&operation=json-path&jsonPath=${encodeURIComponent(path)}`), ({ body, status }) =>
          status === 200 ? [body.content, body.matches] : [status, body.code]
        )
      assert.deepStrictEqual(yield* by("$.a.b[0]"), [1, 1])
      assert.deepStrictEqual(yield* by("$['a']"), [{ b: [1, { c: null }] }, 1])
      assert.deepStrictEqual(yield* by("$.a.b[1].c"), [null, 1])
      assert.deepStrictEqual(yield* by("$.nothing"), [null, 0])
      assert.deepStrictEqual(yield* by("$ .a\n[ 'b' ] [-1].c"), [null, 1])
      assert.deepStrictEqual(yield* by("$.a.b[*]"), [[1, { c: null }], 2])
      assert.deepStrictEqual(yield* by("$..c"), [[null], 1])
      for (const path of ["a.b", "$.a[", "$[?@.a==]", "$".repeat(900)]) {
        assert.deepStrictEqual(yield* by(path), [400, "VALIDATION_ERROR"], path)
      }
      assert.strictEqual((yield* read("&operation=json-path")).status, 400)
      // An agent that prints JSON of no type of ours has put out text that is JSON.
      const printed = yield* output(JSON.stringify({ a: 5, pad }))
      assert.strictEqual((yield* printed.read("&operation=json-path&jsonPath=$.a")).body.content, 5)
      const text = yield* output(pad)
      assert.deepInclude((yield* text.read("&operation=json-path&jsonPath=$.a")).body, {
        code: "VALIDATION_ERROR"
      })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is not followed by paths that take too long, or lead to too much", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 200 }, () => Array.from({ length: 100 }, () => ({ a: [1] })))
      const { read } = yield* anArtifact("rows", { rows, s: `${"a".repeat(60)}!` })
      for (const path of ["$..*..*..*", "$[?match(@, '(a|a)*b')]", "$[?search(@, '(a+)+b')]"]) {
        const { body, status } = yield* read(`&operation=json-path&jsonPath=${encodeURIComponent(path)}`)
        assert.strictEqual(status, 400, path)
        assert.strictEqual(body.code, "VALIDATION_ERROR")
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is downloaded byte by byte: whole, in parts, and not beyond its end", () =>
    Effect.gen(function* () {
      const small = yield* output("ten bytes ".repeat(2_000))
      const whole = yield* small.download()
      assert.strictEqual(whole.status, 200)
      assert.strictEqual(String(whole.body).length, 20_000)
      assert.isNull(whole.headers.get("content-range"))
      const part = yield* small.download("&offset=4&length=5")
      assert.deepStrictEqual([part.status, part.body], [206, "bytes"])
      assert.strictEqual(part.headers.get("content-range"), "bytes 4-8/20000")
      assert.strictEqual(
        (yield* small.download("&offset=19999")).headers.get("content-range"),
        "bytes 19999-19999/20000"
      )
      const beyond = yield* small.download("&offset=20000")
      assert.deepStrictEqual([beyond.status, beyond.body.details.sizeBytes], [416, 20_000])
      const long = yield* output("five MiB, ".repeat(524_288))
      const first = yield* long.download()
      assert.deepStrictEqual([first.status, String(first.body).length], [206, 4_194_304])
      const rest = yield* long.download("&offset=4194304")
      assert.strictEqual(`${first.body}${rest.body}`, "five MiB, ".repeat(524_288))
      assert.strictEqual((yield* long.download("&length=5242880")).status, 200)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is of its run, its attempt and its task, and of no other", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      const [one, other] = [yield* output("o ".repeat(10_000)), yield* output("o ".repeat(10_000))]
      for (const end of ["", "/download"]) {
        const status = (path: string, query: string) =>
          Effect.map(request("GET", `${path}${end}?${query}`), (answer) => {
            assert.notInclude(JSON.stringify(answer.body), "o o o")
            return answer.status
          })
        assert.strictEqual(yield* status(one.path, ""), 400)
        assert.strictEqual(yield* status(one.path, `runId=${one.attemptId}`), 400)
        assert.strictEqual(yield* status(one.path, `attemptId=${one.attemptId}`), 400)
        assert.strictEqual(yield* status(one.path, `runId=run_other&attemptId=${one.attemptId}`), 404)
        assert.strictEqual(yield* status(one.path, other.bound), 409)
        assert.strictEqual(yield* status(one.path.replace(one.taskId, other.taskId), other.bound), 404)
        assert.strictEqual(yield* status(one.path.replace(one.taskId, "task_none"), one.bound), 404)
        assert.strictEqual(yield* status(`/api/agents/${one.taskId}/output-artifacts/none`, one.bound), 404)
      }
      for (const query of ["&operation=foo", "&offset=-1", "&length=0", "&startLine=0", "&lineCount=x"]) {
        assert.strictEqual((yield* one.read(query)).status, 400, query)
      }
      assert.strictEqual((yield* one.read("", { as: "read-only" })).status, 200)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("holds no secret, and says how long it was before", () =>
    Effect.gen(function* () {
      const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
      const text = `${"x ".repeat(10_000)}${token}${" y".repeat(10_000)}`
      const { download, event, read } = yield* output(text)
      assert.notInclude(String((yield* download()).body), token)
      assert.deepStrictEqual(event.redaction.fields, ["text"])
      assert.strictEqual((yield* read()).body.originalBytes, text.length)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("keeps its file while a row refers to it, and says when that is gone", () =>
    Effect.gen(function* () {
      const { directory } = yield* World
      const { sweep } = yield* Blobs
      const { read } = yield* output(`once ${"more ".repeat(10_000)}`)
      yield* sweep
      assert.strictEqual((yield* read("&operation=byte-range&length=4")).body.content, "once")
      for (const folder of readdirSync(join(directory, "blobs"))) {
        if (folder !== "incoming") rmSync(join(directory, "blobs", folder), { recursive: true })
      }
      const { body, status } = yield* read("&operation=byte-range&length=4")
      assert.deepStrictEqual([status, body.code], [500, "ARTIFACT_DAMAGED"])
      const { write } = yield* Storage
      yield* write(run(sql`DELETE FROM output_artifacts`))
      assert.strictEqual((yield* read()).status, 404)
    }).pipe(Effect.provide(shared))
  )
})

describe("lines in bytes that come in pieces", () => {
  it("are what splitting the whole text gives", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "ä", "\n", "\n\n", "line", "\r"), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        (parts, size, startLine, lineCount) => {
          const bytes = Buffer.from(parts.join(""))
          const all = bytes.toString().split("\n")
          if (all.at(-1) === "") all.pop()
          const search = lookForLines({ startLine, lineCount }, 10_000)
          for (let at = 0; at < bytes.length; at += size)
            if (search.take(bytes.subarray(at, at + size))) break
          assert.deepStrictEqual(search.found(), {
            lines: all.slice(startLine - 1, startLine - 1 + lineCount),
            truncated: false
          })
        }
      )
    )
  })
})

describe("a preview", () => {
  it("is a beginning that cuts no character", () => {
    fc.assert(
      fc.property(Arbitrary.make(Schema.String), fc.integer({ min: 0, max: 1_030 }), (text, before) => {
        const whole = `${"a".repeat(before)}${text.toWellFormed()}`
        const { bytes, text: shown, truncated } = previewOf(Buffer.from(whole))
        assert.isTrue(whole.startsWith(shown))
        assert.strictEqual(bytes, Buffer.byteLength(shown))
        assert.strictEqual(truncated, shown.length < whole.length)
      })
    )
  })
})
