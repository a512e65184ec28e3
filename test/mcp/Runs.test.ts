import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import addFormats from "ajv-formats"
import { Effect } from "effect"
import { ask as askPeople } from "../support/Approvals.ts"
import { createTask } from "../support/Board.ts"
import { registerCodex } from "../support/Runs.ts"
import { sharedWorld } from "../support/SharedWorld.ts"
import { toolsAs, toolsWith } from "../support/Tools.ts"

const shared = sharedWorld()

const names = ["start_run", "run_status", "run_events", "complete_run", "run_approvals"]

const listed = Effect.flatMap(toolsWith({}, ["runs", "runs"]), ({ client }) =>
  Effect.promise(() => client.listTools())
)

describe("the group of tools about runs", () => {
  it.scopedLive("comes beside those of the board when it is asked for, within 1,800 tokens of its own", () =>
    Effect.gen(function* () {
      const { tools } = yield* listed
      assert.lengthOf(tools, 20)
      const own = tools.slice(15)
      assert.deepStrictEqual(
        own.map(({ name }) => name),
        names
      )
      assert.isBelow(JSON.stringify(own).length / 4, 1_800)
      const ajv = addFormats.default(new Ajv({ strict: true, strictTypes: false }))
      for (const { annotations, description, inputSchema, name } of own) {
        assert.isAbove(description?.length ?? 0, 20, name)
        assert.strictEqual(inputSchema["additionalProperties"], false, name)
        assert.doesNotThrow(() => ajv.compile(inputSchema), name)
        assert.notMatch(JSON.stringify(inputSchema), /"\$(?:ref|defs|id|schema)"/, name)
        assert.isFalse(annotations?.openWorldHint)
        assert.strictEqual(annotations?.readOnlyHint, !["start_run", "complete_run"].includes(name), name)
      }
      const complete = own.find(({ name }) => name === "complete_run")
      assert.include(complete?.description, "success: true with a summary alone becomes partial")
    })
  )
})

describe("an agent with the tools about runs", () => {
  it.scopedLive("starts its run, and learns that a summary alone is no success", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs("agent", ["runs"])
      yield* registerCodex
      yield* createTask({ id: "T-1" })
      assert.strictEqual((yield* call("run_status", { id: "T-1" })).text, "T-1 has had no run")
      assert.strictEqual((yield* call("run_events", { id: "T-1" })).text, "T-1 has had no run")
      const { text } = yield* call("start_run", { id: "T-1", idempotencyKey: "a-key-of-t-1" })
      const told = /^(\S+) of codex on T-1 runs; providerRuntimeManifestDigest (sha256:[0-9a-f]{64})$/.exec(
        text
      )
      const [, attemptId, providerRuntimeManifestDigest] = told ?? []
      assert.isDefined(attemptId, text)
      const status = (yield* call("run_status", { id: "T-1" })).text
      assert.match(status, /^attempt_\w+ of codex \(gateway\) on T-1: running\nsince /)
      assert.include(status, `providerRuntimeManifestDigest ${providerRuntimeManifestDigest}`)
      assert.match(
        (yield* call("run_events", { id: "T-1", attemptId })).text,
        /^attempt_\w+ has said nothing after 0$/
      )
      const again = yield* call("start_run", { id: "T-1" })
      assert.isTrue(again.isError)
      assert.match(again.text, /is active on task T-1: a task has one at a time/)

      const bound = { id: "T-1", attemptId, providerRuntimeManifestDigest }
      const neither = yield* call("complete_run", { ...bound, summary: "Done" })
      assert.isTrue(neither.isError)
      assert.match(neither.text, /success/)
      const other = yield* call("complete_run", { ...bound, attemptId: "attempt_1", success: true })
      assert.isTrue(other.isError)
      const done = yield* call("complete_run", { ...bound, success: true, summary: "Done" })
      assert.isFalse(done.isError, done.text)
      assert.deepStrictEqual(done.text.split("\n").slice(0, 4), [
        `${attemptId} is over; T-1 is in-progress`,
        "result: partial, by callback",
        "claimed: success",
        "summary: Done"
      ])
      assert.match(done.text, /\n- not a success: Nothing but the summary .* \(harness-evidence-absent\)$/)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("ends as a success when it shows something, and reads what runs say", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs("agent", ["runs"])
      yield* registerCodex
      yield* createTask({ id: "T-2" })
      const { text } = yield* call("start_run", { id: "T-2" })
      const [, attemptId, providerRuntimeManifestDigest] =
        /^(\S+) of .* providerRuntimeManifestDigest (\S+)$/.exec(text) ?? []
      const done = yield* call("complete_run", {
        id: "T-2",
        attemptId,
        providerRuntimeManifestDigest,
        success: true,
        summary: "Done",
        verification: [{ name: "tests", status: "passed" }],
        artifacts: [{ path: "out.md" }]
      })
      assert.match(done.text, /^attempt_\w+ is over; T-2 is done\nresult: success, by callback\n/)
      assert.match((yield* call("run_status", { id: "T-2" })).text, /\nresult: success, by callback\n/)
    }).pipe(Effect.provide(shared))
  )

  it.scopedLive("sees what people are asked for, and decides nothing", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs("agent", ["runs"])
      const none = yield* call("run_approvals", { id: "T-3" })
      assert.strictEqual(none.text, "No approval is pending.")
      const { expiresAt, id } = yield* askPeople({ taskId: "T-3", action: "Run npm publish" })
      assert.strictEqual(
        (yield* call("run_approvals", { id: "T-3" })).text,
        `${id} [pending, shell, medium risk] codex on T-3: Run npm publish; until ${expiresAt}`
      )
      const decided = yield* call("run_approvals", { id: "T-3", decision: "approved" })
      assert.isTrue(decided.isError)
    }).pipe(Effect.provide(shared))
  )
})
