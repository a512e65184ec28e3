import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { type RawAnswer, type RawRequest, rawSender } from "../support/RawHttp.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { keys, World } from "../support/World.ts"

const shared = sharedWorld()

const limit = 1_048_576

/** Posts raw bytes as JSON to the tasks. */
const post = ({ headers, ...raw }: Partial<RawRequest>) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* World
    const send = yield* rawSender(baseUrl)
    const known = { "x-api-key": keys.agent, "content-type": "application/json" }
    return yield* send({ method: "POST", path: "/api/tasks", ...raw, headers: { ...known, ...headers } })
  })

const postText = (text: string | Uint8Array, headers: Record<string, string> = {}) =>
  post({ body: text, headers })

const isHealthy = Effect.flatMap(World, ({ request }) =>
  Effect.map(request("GET", "/api/tasks/counts"), ({ status }) => assert.strictEqual(status, 200))
)

const assertTooLarge = ({ body, headers, status }: RawAnswer) => {
  assert.strictEqual(status, 413)
  assert.hasAllKeys(body, ["error", "code", "details"])
  assert.deepInclude(body, { code: "PAYLOAD_TOO_LARGE", details: { limitBytes: limit } })
  assert.strictEqual(headers["connection"], "close")
}

describe("a body that is too large", () => {
  it.scopedLive("is refused by its declared length, before a byte of it is sent", () =>
    Effect.gen(function* () {
      const headers = { "content-length": String(limit + 1) }
      assertTooLarge(yield* post({ headers, unfinished: true }))
      // Nobody is let past the door to find out who it is.
      assertTooLarge(yield* post({ headers: { ...headers, "x-api-key": "nobody" }, unfinished: true }))
      yield* isHealthy
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused as soon as it gets there when it declares no length", () =>
    Effect.gen(function* () {
      const chunk = new Uint8Array(64 * 1024).fill(0x20)
      assertTooLarge(yield* post({ chunks: Array.from({ length: 17 }, () => chunk), unfinished: true }))
      yield* isHealthy
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("begins beyond one mebibyte", () =>
    Effect.gen(function* () {
      const json = JSON.stringify({ title: "A task" })
      const padded = json + " ".repeat(limit - json.length)
      assert.strictEqual((yield* postText(padded)).status, 201)
      assertTooLarge(yield* postText(`${padded} `))
    }).pipe(Effect.provide(shared))
  )
})

describe("a body that is no JSON", () => {
  it.scopedLive("is a fault with its place, and is not repeated", () =>
    Effect.gen(function* () {
      for (const text of [
        "{",
        "}",
        '{"title": "x"',
        "{'title': 'sEcReT'}",
        '{"title": sEcReT}',
        '{"title": NaN}',
        '{"title": undefined}',
        '{"title": "x",}',
        '{"title": "x"} trailing',
        '{"title": "a\tb\u0001"}',
        "// comment\n{}",
        "\u0000",
        Buffer.from('{"title":"\xff"}', "latin1"),
        Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
        Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
        Buffer.from('{"title":"x"}', "utf16le")
      ]) {
        const { body, status } = yield* postText(text)
        assert.strictEqual(status, 400, String(text))
        assert.deepInclude(body, { error: "Validation failed", code: "VALIDATION_ERROR" })
        assert.strictEqual(body.details.issues.length, 1)
        assert.match(body.details.issues[0].message, /^The body is not valid (JSON|UTF-8)/)
        assert.notInclude(JSON.stringify(body), "sEcReT")
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is told from one that is JSON but no object", () =>
    Effect.gen(function* () {
      for (const text of ["null", "5", '"title"', "[]", '[{"title":"x"}]', "true"]) {
        const { body, status } = yield* postText(text)
        assert.strictEqual(status, 400, text)
        assert.strictEqual(body.code, "VALIDATION_ERROR")
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("does not come under a media type that is not JSON's", () =>
    Effect.gen(function* () {
      const json = JSON.stringify({ title: "A task" })
      for (const type of [
        "text/html",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "application/xml",
        "application/jsonx",
        "text/json",
        ""
      ]) {
        const { body, status } = yield* postText(json, { "content-type": type })
        assert.strictEqual(status, 415, type)
        assert.hasAllKeys(body, ["error", "code"])
        assert.strictEqual(body.code, "UNSUPPORTED_MEDIA_TYPE")
      }
      for (const type of [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/merge-patch+json"
      ]) {
        assert.strictEqual((yield* postText(json, { "content-type": type })).status, 201, type)
      }
      // Lines are taken by the import alone.
      for (const type of ["text/plain", "application/x-ndjson"]) {
        assert.oneOf((yield* postText(json, { "content-type": type })).status, [400, 415], type)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is not unpacked: a compressed body is no JSON", () =>
    Effect.gen(function* () {
      const packed = gzipSync(JSON.stringify({ title: "A task" }))
      assert.strictEqual((yield* postText(packed, { "content-encoding": "gzip" })).status, 400)
    }).pipe(Effect.provide(shared))
  )
})

describe("JSON that is meant to do harm", () => {
  it.scopedLive("changes no prototype", () =>
    Effect.gen(function* () {
      const made = yield* postText(
        '{"title":"x","__proto__":{"polluted":1,"status":"done"},"constructor":{"prototype":{"polluted":1}}}'
      )
      assert.strictEqual(made.status, 201)
      assert.strictEqual(made.body.status, "todo")
      assert.notProperty({}, "polluted")
      assert.notInclude(made.text, "polluted")
      const hidden = yield* postText('{"__proto__":{"title":"x"}}')
      assert.strictEqual(hidden.status, 400)
      const policy = yield* postText(
        '{"title":"x","executionPolicy":{"__proto__":{"commitPolicy":"allowed"}}}'
      )
      assert.strictEqual(policy.status, 400)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("counts the last of two members with one name, as everywhere", () =>
    Effect.gen(function* () {
      const { body } = yield* postText('{"title":"first","title":"last"}')
      assert.strictEqual(body.title, "last")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is refused where it nests too deep, wherever that is", () =>
    Effect.gen(function* () {
      const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
      for (const depth of [65, 10_000, 500_000]) {
        const { body, status } = yield* postText(nested(depth))
        assert.strictEqual(status, 400)
        assert.deepStrictEqual(body.details.issues, [
          { path: "", message: "The body nests deeper than 64 levels" }
        ])
      }
      assert.strictEqual((yield* postText(`{"title":"x","ignored":${nested(63)}}`)).status, 201)
      // Brackets in texts are texts.
      const title = "[{".repeat(100)
      assert.strictEqual((yield* postText(JSON.stringify({ title }))).body.title, title)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("holds no text that storage or another client could not carry", () =>
    Effect.gen(function* () {
      for (const title of ['"\\ud800"', '"\\udc00\\ud800"', '"a\\u0000b"']) {
        const { body, status } = yield* postText(`{"title":${title}}`)
        assert.strictEqual(status, 400, title)
        assert.strictEqual(body.details.issues[0].path, "title")
      }
      // A byte order mark is none of the text; other Unicode is kept as it is.
      const title = "‮עִבְרִית 🙂 a\u200bb\u2028c"
      assert.strictEqual((yield* postText(`\ufeff${JSON.stringify({ title })}`)).body.title, title)
      const huge = yield* postText('{"title":"x","reviewScores":{"security":1e400}}')
      assert.strictEqual(huge.status, 400)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("takes nobody's time: a megabyte of faults is told from the first", () =>
    Effect.gen(function* () {
      const fill = (member: string) => member.repeat(Math.trunc((limit - 200) / member.length)).slice(0, -1)
      for (const text of [
        `{"title":"x","labels":[${fill("1,")}]}`,
        `{"title":"x","acceptanceCriteria":[${fill("{},")}]}`,
        `{"title":"x","externalWorkItems":[${fill("{},")}]}`
      ]) {
        const [took, { body, status }] = yield* Effect.timed(postText(text))
        assert.strictEqual(status, 400)
        assert.isBelow(body.details.issues.length, 10)
        // It took eleven seconds once.
        assert.isBelow(Duration.toMillis(took), 2_000)
      }
    }).pipe(Effect.provide(shared))
  )
})
