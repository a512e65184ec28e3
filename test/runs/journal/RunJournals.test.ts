import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Exit, FastCheck as fc } from "effect"
import { RunJournals } from "../../../src/runs/journal/RunJournals.ts"
import * as Log from "../../../src/storage/Log.ts"
import { run as execute, firstRow, sql } from "../../../src/storage/Sql.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { launched, over } from "../../support/Journals.ts"
import { sharedWorld } from "../../support/SharedWorld.ts"
import { type Answer, type RequestOptions, World } from "../../support/World.ts"

const shared = sharedWorld()

const aTask = Effect.flatMap(World, ({ request }) =>
  Effect.map(request("POST", "/api/tasks", { body: { title: "Say something" } }), ({ body }) =>
    String(body.id)
  )
)

const aRun = Effect.flatMap(aTask, (taskId) =>
  Effect.map(launched(taskId), (attemptId) => ({ taskId, attemptId }))
)

interface Run {
  readonly taskId: string
  readonly attemptId: string
}

const eventsOf = ({ attemptId, taskId }: Run, query = "", options?: RequestOptions) =>
  Effect.flatMap(World, ({ request }) =>
    request("GET", `/api/agents/${taskId}/attempts/${attemptId}/events${query}`, options)
  )

const append = (attemptId: string, facts: ReadonlyArray<{ kind: string; payload: unknown }>) =>
  Effect.flatMap(RunJournals, (journals) => journals.append(attemptId, facts))

const line = (text: string) => ({ kind: "output", payload: { stream: "stdout", text } })

/** RFC 8785, written down once more for JSON whose numbers are small integers. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value).toSorted((a, b) => (a < b ? -1 : 1))
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(Reflect.get(value, key))}`).join(",")}}`
  }
  return JSON.stringify(value)
}

const hashOf = (value: unknown) => `sha256:${createHash("sha256").update(canonical(value)).digest("hex")}`

/** All events of an attempt, page by page. */
const allOf = (run: Run, limit: number) =>
  Effect.gen(function* () {
    const events: Array<Answer["body"]> = []
    let cursor = 0
    for (;;) {
      const { body } = yield* eventsOf(run, `?afterSequence=${cursor}&limit=${limit}`)
      events.push(...body.events)
      cursor = body.nextCursor
      if (!body.hasMore) return events
    }
  })

describe("what a run says", () => {
  it.scopedLive("is read again as run-event/v1, field by field", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      assert.strictEqual(
        yield* append(run.attemptId, [
          line("Hello"),
          { kind: "something.new", payload: { deep: [1, null] } }
        ]),
        2
      )
      const { body, status } = yield* eventsOf(run)
      assert.strictEqual(status, 200)
      const [{ receivedAt, ...first }, second] = body.events
      assert.deepStrictEqual(first, {
        schemaVersion: "run-event/v1",
        eventId: `${run.attemptId}:1`,
        taskId: run.taskId,
        runId: run.attemptId,
        attemptId: run.attemptId,
        sessionId: null,
        sequence: 1,
        kind: "output",
        source: { provider: "command", adapter: "command" },
        redaction: { status: "none", fields: [], originalBytes: 34, persistedBytes: 34 },
        payload: { stream: "stdout", text: "Hello" },
        payloadHash: hashOf({ stream: "stdout", text: "Hello" })
      })
      assert.isAbove(Date.parse(receivedAt), 0)
      assert.deepInclude(second, { kind: "something.new", payload: { deep: [1, null] }, sequence: 2 })
      const { events: _, ...page } = body
      assert.deepStrictEqual(page, {
        schemaVersion: "run-event-page/v1",
        taskId: run.taskId,
        attemptId: run.attemptId,
        nextCursor: 2,
        hasMore: false
      })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("stands in one order without gaps, however it is handed in and whoever hands it in", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 4 }), {
            minLength: 1,
            maxLength: 6
          }),
          fc.integer({ min: 20, max: 500 }),
          (writers, limit) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const run = yield* aRun
                const sequences = yield* Effect.forEach(
                  writers,
                  (batches, writer) =>
                    Effect.forEach(
                      batches,
                      (size, batch) => {
                        const facts = Array.from({ length: size }, (_, index) =>
                          line(`${writer}.${batch}.${index}`)
                        )
                        return Effect.map(append(run.attemptId, size === 0 ? [] : facts), (last) => ({
                          last,
                          said: facts.map(({ payload }) => payload.text)
                        }))
                      },
                      { concurrency: "unbounded" }
                    ),
                  { concurrency: "unbounded" }
                )
                const events = yield* allOf(run, limit)
                const texts = events.map(({ payload }) => payload.text)
                const total = writers.flat().reduce((sum, size) => sum + size, 0)
                assert.deepStrictEqual(
                  events.map(({ sequence }) => sequence),
                  Array.from({ length: total }, (_, index) => index + 1)
                )
                for (const { last, said } of sequences.flat()) {
                  if (said.length === 0) continue
                  assert.deepStrictEqual(texts.slice(last - said.length, last), said)
                }
                for (const [writer] of writers.entries()) {
                  const own = texts.filter((text) => text.startsWith(`${writer}.`))
                  const batches = own.map((text) => Number(text.split(".")[1]))
                  assert.deepStrictEqual(
                    batches,
                    batches.toSorted((a, b) => a - b)
                  )
                }
              }).pipe(Effect.provide(shared))
            )
        ),
        { numRuns: 10 }
      )
    )
  )

  it.scopedLive("has the hash of its canonical form, whatever JSON it is", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      const payloads = fc
        .sample(fc.jsonValue({ maxDepth: 4 }), 120)
        .map((value) =>
          JSON.parse(
            JSON.stringify(value, (_, one) => (typeof one === "number" ? Math.trunc(one) % 1e6 : one))
          )
        )
      yield* append(
        run.attemptId,
        payloads.map((payload) => ({ kind: "any", payload }))
      )
      for (const { payload, payloadHash, redaction } of yield* allOf(run, 500)) {
        assert.strictEqual(payloadHash, hashOf(payload))
        if (redaction.status === "none") assert.strictEqual(redaction.persistedBytes, redaction.originalBytes)
      }
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("loses half characters, which no client could read, and keeps what only looks like one", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      yield* append(run.attemptId, [line("\ud800\udc00 \ud800\ud800 \\ud800 \\\ud800"), line("\u0000")])
      const [first, second] = yield* allOf(run, 10)
      assert.strictEqual(first.payload.text, "\ud800\udc00 \ufffd\ufffd \\ud800 \\\ufffd")
      assert.strictEqual(second.payload.text, "\u0000")
      assert.strictEqual(first.payloadHash, hashOf(first.payload))
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("keeps its kind, whatever that is", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      const kinds = [
        "message",
        "tool_call",
        'odd "kind"\n',
        "",
        "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
        "k".repeat(5_000)
      ]
      yield* append(
        run.attemptId,
        kinds.map((kind) => ({ kind, payload: null }))
      )
      const [, , odd, none, secret, long] = yield* allOf(run, 10)
      assert.strictEqual(odd.kind, 'odd "kind"\n')
      assert.strictEqual(none.kind, "unknown")
      assert.notInclude(secret.kind, "ghp_")
      assert.strictEqual(long.kind.length, 200)
    }).pipe(Effect.provide(shared))
  )
})

describe("a secret in what a run says", () => {
  const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"

  it.scopedLive("is taken out of values and keys, and the event names where it stood", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      const payload = {
        input: { headers: ["Accept: x", `Authorization: Bearer ${token}`] },
        password: "hunter2hunter2",
        [token]: 1
      }
      yield* append(run.attemptId, [{ kind: "tool_call", payload }, line(`export TOKEN=${token}`)])
      const { body } = yield* eventsOf(run)
      assert.notInclude(JSON.stringify(body), token)
      assert.notInclude(JSON.stringify(body), "hunter2")
      const [call, said] = body.events
      assert.strictEqual(call.redaction.status, "redacted")
      assert.deepStrictEqual(call.redaction.fields.slice(0, 2), ["input.headers.1", "password"])
      assert.strictEqual(call.redaction.fields.length, 3)
      assert.strictEqual(call.payloadHash, hashOf(call.payload))
      assert.deepStrictEqual(said.redaction.fields, ["text"])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is not in the database either, wherever in a long output it stood", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      const { directory } = yield* World
      const texts = [0, 1, 1_000, 16_300, 16_384, 20_000].map(
        (at) => `${"x ".repeat(at / 2)} ${token} ${"y ".repeat(10_000)}`
      )
      yield* append(run.attemptId, texts.map(line))
      const events = yield* allOf(run, 10)
      for (const { payload, redaction } of events) {
        assert.strictEqual(redaction.status, "redacted")
        const { request } = yield* World
        const query = `?runId=${run.attemptId}&attemptId=${run.attemptId}`
        const { body } = yield* request(
          "GET",
          `/api/agents/${run.taskId}/output-artifacts/${payload.artifactId}/download${query}`
        )
        assert.notInclude(String(body), token)
      }
      const { read } = yield* Storage
      const page = yield* read(Log.after({ resource: "attempt", resourceId: run.attemptId }, 0, 100))
      assert.notInclude(JSON.stringify(page), token)
      assert.isString(directory)
    }).pipe(Effect.provide(shared))
  )
})

describe("a payload that is too long for its event", () => {
  it.scopedLive("is inline up to 16,384 bytes of JSON, and an artifact with a preview beyond", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      const frame = JSON.stringify({ stream: "stdout", text: "" }).length
      yield* append(run.attemptId, [
        line(`${"ä".repeat((16_384 - frame) / 2)}${"a".repeat(frame % 2)}`),
        line(`${"ä".repeat((16_384 - frame) / 2 + 1)}${"a".repeat(frame % 2)}`)
      ])
      const [inline, long] = yield* allOf(run, 10)
      assert.strictEqual(inline.redaction.persistedBytes, 16_384)
      assert.deepStrictEqual(Object.keys(long.payload).toSorted(), ["artifactId", "preview", "stream"])
      const { text, ...preview } = long.payload.preview
      assert.deepStrictEqual(preview, {
        schemaVersion: "run-output-preview/v1",
        bytes: 1_024,
        truncated: true
      })
      assert.strictEqual(text, "ä".repeat(512))
      assert.strictEqual(long.payloadHash, hashOf(long.payload))
      assert.strictEqual(long.redaction.originalBytes, 16_386)
      assert.strictEqual(long.redaction.persistedBytes, Buffer.byteLength(JSON.stringify(long.payload)))
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("still says whose output it is, and that its line goes on", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      const text = "w ".repeat(10_000)
      yield* append(run.attemptId, [
        { kind: "output", payload: { stream: "stderr", text, partial: true } },
        { kind: "output", payload: { stream: "stderr", text, partial: "perhaps" } }
      ])
      const [parted, whole] = yield* allOf(run, 10)
      assert.deepInclude(parted.payload, { stream: "stderr", partial: true })
      assert.deepStrictEqual(Object.keys(whole.payload).toSorted(), ["artifactId", "preview", "stream"])
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is dropped beyond 8 MiB, or when it is nested too deeply, and says so", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      const deep = Arr.makeBy(20_000, () => 0).reduce<unknown>((inner) => [inner], 1)
      yield* append(run.attemptId, [
        line("z".repeat(8_388_608)),
        { kind: "deep", payload: deep },
        line("after")
      ])
      const [long, nested, after] = yield* allOf(run, 10)
      assert.deepInclude(long, { kind: "output", payload: null, payloadHash: hashOf(null) })
      assert.deepStrictEqual(long.redaction, {
        status: "dropped",
        fields: [],
        originalBytes: 8_388_637,
        persistedBytes: 0
      })
      assert.deepInclude(nested, { kind: "deep", payload: null })
      assert.deepInclude(after, { sequence: 3, payload: { stream: "stdout", text: "after" } })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is dropped once 64 MiB are stored of an attempt, while its events go on", () =>
    Effect.gen(function* () {
      const [run, other] = [yield* aRun, yield* aRun]
      const { write } = yield* Storage
      yield* write(
        execute(
          sql`UPDATE run_journals SET stored_bytes = ${64 * 1_048_576 - 30_100} WHERE attempt_id = ${run.attemptId}`
        )
      )
      const long = line("r ".repeat(10_000))
      for (const { attemptId } of [run, other])
        yield* append(attemptId, [long, long, line("small"), line("s".repeat(10_100))])
      const dropped = (one: Run) =>
        Effect.map(allOf(one, 100), (events) => events.map(({ redaction }) => redaction.status === "dropped"))
      assert.deepStrictEqual(yield* dropped(run), [false, true, false, true])
      // What another attempt may store is its own.
      assert.deepStrictEqual(yield* dropped(other), [false, false, false, false])
    }).pipe(Effect.provide(shared))
  )
})

describe("a page of run events", () => {
  it.scopedLive("begins behind the cursor, and is as long as was asked for", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      yield* append(
        run.attemptId,
        Arr.makeBy(510, (index) => line(String(index)))
      )
      const sizes = yield* Effect.forEach(
        ["", "?limit=1", "?limit=500", "?afterSequence=500", "?afterSequence=510"],
        (query) =>
          Effect.map(eventsOf(run, query), ({ body }) => [body.events.length, body.nextCursor, body.hasMore])
      )
      assert.deepStrictEqual(sizes, [
        [100, 100, true],
        [1, 1, true],
        [500, 500, true],
        [10, 510, false],
        [0, 510, false]
      ])
      for (const query of [
        "?limit=0",
        "?limit=501",
        "?limit=x",
        "?afterSequence=-1",
        "?afterSequence=x",
        "?afterSequence=1.5"
      ])
        assert.strictEqual((yield* eventsOf(run, query)).status, 400, query)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("says which events are no longer kept", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      yield* append(
        run.attemptId,
        Arr.makeBy(30, (index) => line(String(index)))
      )
      const { write } = yield* Storage
      const rule = { resource: "attempt", newest: 10, milliseconds: Number.MAX_SAFE_INTEGER }
      yield* Effect.repeat(write(Log.prune(rule)), { while: (more) => more })
      const { body } = yield* eventsOf(run, "?afterSequence=5&limit=2")
      assert.deepStrictEqual(body.gap, { from: 6, to: 20 })
      assert.strictEqual(body.events[0].sequence, 21)
      assert.notProperty((yield* eventsOf(run, "?afterSequence=20")).body, "gap")
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is of an attempt of that task alone, whose documents are what it was launched with", () =>
    Effect.gen(function* () {
      const [run, other] = [yield* aRun, yield* aRun]
      assert.strictEqual((yield* eventsOf({ ...run, taskId: "task_none" })).status, 404)
      assert.strictEqual((yield* eventsOf({ ...run, attemptId: other.attemptId })).status, 409)
      assert.strictEqual((yield* eventsOf({ ...run, attemptId: "nobody".repeat(30) })).status, 409)
      assert.strictEqual((yield* eventsOf(run, "", { as: "read-only" })).status, 200)
      const { write } = yield* Storage
      yield* write(execute(sql`UPDATE attempts SET envelope_digest = 'sha256:0' WHERE id = ${run.attemptId}`))
      const { body, status } = yield* eventsOf(run)
      assert.strictEqual(status, 409)
      assert.strictEqual(body.details.reason, "altered")
    }).pipe(Effect.provide(shared))
  )
})

describe("a journal", () => {
  it.scopedLive("is stored together with what it brings about, or not at all", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      const journals = yield* RunJournals
      const mark = execute(sql`UPDATE attempts SET workspace = '/marked' WHERE id = ${run.attemptId}`)
      const broken = { ...line("never"), also: Effect.zipRight(mark, Effect.dieMessage("broken")) }
      const exit = yield* Effect.exit(journals.append(run.attemptId, [line("before"), broken]))
      assert.isTrue(Exit.isFailure(exit))
      const marked = Effect.flatMap(Storage, ({ read }) =>
        read(
          firstRow(sql`SELECT workspace FROM attempts WHERE id = ${run.attemptId} AND workspace = '/marked'`)
        )
      )
      assert.isUndefined(yield* marked)
      assert.deepStrictEqual((yield* eventsOf(run)).body.events, [])
      yield* journals.append(run.attemptId, [{ ...line("now"), also: mark }])
      assert.isDefined(yield* marked)
      assert.lengthOf((yield* eventsOf(run)).body.events, 1)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("takes nothing for an attempt that was never launched", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(append("attempt_none", [line("x")]))
      assert.deepInclude(error, { _tag: "JournalNotOpen", attemptId: "attempt_none" })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("wakes those who follow its attempt, and nobody else", () =>
    Effect.gen(function* () {
      const [run, other] = [yield* aRun, yield* aRun]
      const { onMove } = yield* Storage
      const heard = { own: 0, other: 0, rest: 0 }
      const nameOf = ({ attemptId }: Run) => Log.nameOf({ resource: "attempt", resourceId: attemptId })
      yield* onMove([nameOf(run)], () => heard.own++)
      yield* onMove([nameOf(other)], () => heard.other++)
      yield* onMove(["outbox", "audit", "attempt", "task"], () => heard.rest++)
      yield* append(run.attemptId, [line("a"), line("b")])
      assert.deepStrictEqual(heard, { own: 1, other: 0, rest: 0 })
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("is forgotten with its task, and takes nothing any more", () =>
    Effect.gen(function* () {
      const run = yield* aRun
      const { request } = yield* World
      yield* append(run.attemptId, [line("a"), line("b".repeat(20_000))])
      yield* over(run.attemptId)
      assert.strictEqual((yield* request("DELETE", `/api/tasks/${run.taskId}`, { as: "admin" })).status, 204)
      const { read, write } = yield* Storage
      const left = yield* read(
        firstRow<{ n: number }>(
          sql`
            SELECT (SELECT COUNT(*) FROM run_journals WHERE task_id = ${run.taskId})
              + (SELECT COUNT(*) FROM output_artifacts WHERE task_id = ${run.taskId})
              + (SELECT COUNT(*) FROM log_streams WHERE resource_id = ${run.attemptId}) AS n`
        )
      )
      assert.strictEqual(left?.n, 0)
      assert.strictEqual((yield* Effect.flip(append(run.attemptId, [line("late")])))._tag, "JournalNotOpen")
      assert.strictEqual(
        yield* write(Log.prune({ resource: "attempt", newest: 10, milliseconds: 1e12 })),
        true
      )
    }).pipe(Effect.provide(shared))
  )
})
