import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, createTask, getTask } from "../support/Board.ts"
import { toolsAs } from "../support/Tools.ts"
import { world } from "../support/World.ts"

describe("track_time", () => {
  it.scopedLive("starts and stops the timer, as often as it is told, and adds time", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1" })
      const turned = (action: string, more = {}) => call("track_time", { id: "T-1", action, ...more })
      assert.strictEqual((yield* turned("start")).text, "T-1 has its timer running, revision 2")
      assert.strictEqual((yield* turned("start")).text, "T-1 has its timer running, revision 2")
      assert.match((yield* turned("stop")).text, /^T-1 has its timer stopped at \d+s, revision 3$/)
      assert.isFalse((yield* turned("stop")).isError)
      const added = yield* turned("add", { durationMs: 5_400_000, description: "Reading" })
      assert.match(added.text, /^T-1 has 1h 30m more, 1h 30m in all, revision 4$/)
      const { timeTracking } = yield* getTask("T-1")
      assert.deepInclude(timeTracking.entries.at(-1), { durationMs: 5_400_000, description: "Reading" })
      const missing = yield* turned("add")
      assert.isTrue(missing.isError)
      assert.include(missing.text, "durationMs: Expected with the action add")
    }).pipe(Effect.provide(world()))
  )
})

describe("add_observation", () => {
  it.scopedLive("writes down what matters, without secrets", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1" })
      const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
      const { text } = yield* call("add_observation", {
        id: "T-1",
        content: `Use ${token}`,
        type: "decision",
        importance: 8
      })
      assert.match(text, /^obs_\w+ noted on T-1: decision, importance 8$/)
      const { observations } = yield* ask("GET", "/api/tasks/T-1/observations")
      assert.deepInclude(observations[0], { type: "decision", importance: 8, createdBy: "codex" })
      assert.notInclude(observations[0].content, token)
    }).pipe(Effect.provide(world()))
  )
})

describe("checkpoint", () => {
  it.scopedLive("saves any JSON, gives it back, and clears it", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1" })
      const done = (action: string, more = {}) => call("checkpoint", { id: "T-1", action, ...more })
      for (const state of [{ step: [1, null] }, null, "here", 0, false]) {
        assert.match((yield* done("save", { state })).text, /^T-1 has a checkpoint until \S+Z$/)
        const [head, json] = (yield* done("resume")).text.split("\n")
        assert.match(head ?? "", /^saved \S+, expires \S+, resumeCount 1$/)
        assert.deepStrictEqual(JSON.parse(json ?? ""), state)
      }
      assert.include((yield* done("save")).text, "state: Expected with the action save")
      yield* done("save", { state: "s".repeat(50_000) })
      assert.isBelow((yield* done("resume")).text.length, 12_200)
      assert.isAbove((yield* done("resume", { maxChars: 100_000 })).text.length, 50_000)
      assert.strictEqual((yield* done("clear")).text, "T-1 has no checkpoint any more")
      assert.isTrue((yield* done("resume")).isError)
    }).pipe(Effect.provide(world()))
  )
})

describe("dependency", () => {
  it.scopedLive("adds and removes an edge, either way round", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1" })
      yield* createTask({ id: "T-2" })
      const edge = (action: string, more = {}) =>
        Effect.map(call("dependency", { id: "T-1", action, dependsOn: "T-2", ...more }), ({ text }) => text)
      assert.strictEqual(yield* edge("add"), "T-1 depends on T-2")
      assert.deepStrictEqual((yield* getTask("T-1")).dependencies, ["T-2"])
      assert.strictEqual(yield* edge("add"), "T-1 depends on T-2 already")
      assert.include(yield* edge("add", { direction: "blocks" }), "would close a cycle")
      assert.strictEqual(yield* edge("remove"), "T-1 no longer depends on T-2")
      assert.strictEqual(yield* edge("add", { direction: "blocks" }), "T-2 depends on T-1")
      assert.deepStrictEqual((yield* getTask("T-2")).dependencies, ["T-1"])
    }).pipe(Effect.provide(world()))
  )
})

describe("squad_chat", () => {
  it.scopedLive("says and reads, in the name of the key or in another", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      assert.strictEqual((yield* call("squad_chat")).text, "Nobody has said anything.")
      yield* createTask({ id: "T-1" })
      const said = yield* call("squad_chat", { message: "@ann look\nhere", taskId: "T-1" })
      const [, id] = /^(msg_\w+) posted as codex$/.exec(said.text) ?? assert.fail(said.text)
      yield* call("squad_chat", { message: "Seen", agent: "ann", replyToId: id })
      const { text } = yield* call("squad_chat")
      assert.match(
        text,
        new RegExp(`^\\S+ ann: Seen \\(msg_\\w+\\)\\n\\S+ codex: @ann look here \\(${id}, T-1\\)$`)
      )
      assert.notInclude((yield* call("squad_chat", { limit: 1 })).text, "codex")
      assert.strictEqual(
        (yield* call("squad_chat", { since: "2099-01-01T00:00:00Z" })).text,
        "Nobody has said anything."
      )
      assert.isTrue((yield* call("squad_chat", { message: "x", taskId: "T-9" })).isError)
      for (let index = 0; index < 40; index++) {
        yield* ask("POST", "/api/chat/squad", {
          body: { agent: "eve", message: `${index} ${"m".repeat(900)}` }
        })
      }
      const long = (yield* call("squad_chat", { limit: 40 })).text
      assert.match(long, /^\S+ eve: 39 m/, "the newest is never cut")
      assert.match(long, /\[cut at 12000 of \d+ characters; call again with a smaller limit\]$/)
    }).pipe(Effect.provide(world()))
  )
})
