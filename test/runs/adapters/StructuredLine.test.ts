import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import { agentEnvironment } from "../../../src/runs/adapters/AgentEnvironment.ts"
import { errorReader, outputReader } from "../../../src/runs/adapters/AgentOutput.ts"
import { changedPaths } from "../../../src/runs/adapters/facts/RedactFact.ts"
import { resultClaim } from "../../../src/runs/adapters/facts/ResultClaim.ts"
import { factOf, structured } from "../../../src/runs/adapters/facts/StructuredLine.ts"
import { isUsage } from "../../../src/runs/adapters/facts/Usage.ts"

const factsOf = (...lines: ReadonlyArray<string>) => {
  const reader = outputReader(undefined)
  return [...reader.read(lines.map((text) => ({ text, goesOn: false }))), ...reader.end()]
}

describe("a line of an agent", () => {
  it("is structured when it is a JSON object with a string type, and text otherwise", () => {
    assert.deepStrictEqual(structured('  {"type":"x","a":1}  '), { type: "x", a: 1 })
    for (const line of [
      "",
      "x",
      "[]",
      '"type"',
      "null",
      "{}",
      '{"type":1}',
      '{"type":""}',
      '{"type":"x"',
      `{"type":"${"x".repeat(201)}"}`
    ])
      assert.isUndefined(structured(line), line)
    assert.isUndefined(structured(`{"type":"x","a":${"[".repeat(100)}${"]".repeat(100)}}`))
  })

  it("of any form becomes one fact, and text stays what it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        const line = text.replaceAll(/[\n\r]/g, "")
        fc.pre(structured(line) === undefined)
        assert.deepStrictEqual(factsOf(line), [{ kind: "output", payload: { stream: "stdout", text: line } }])
      })
    )
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 20 }),
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
        (type, rest) => {
          fc.pre(!["tokens", "result", "output"].includes(type))
          const [fact, ...more] = factsOf(JSON.stringify({ ...rest, type }))
          assert.deepStrictEqual(more, [])
          assert.strictEqual(fact?.kind, type)
          const { type: _, ...payload } = JSON.parse(JSON.stringify(rest))
          if (fact?.redaction === undefined) assert.deepStrictEqual({ ...fact?.payload }, { ...payload })
        }
      )
    )
  })

  it("that reports tokens counts only when it is well-formed", () => {
    for (const payload of [
      { inputTokens: 0, outputTokens: 0 },
      { inputTokens: 1, outputTokens: 2, cacheTokens: 3, model: "m", cost: 0.5 },
      { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, cacheTokens: 7 },
      { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3 }
    ])
      assert.isTrue(isUsage(payload), JSON.stringify(payload))
    for (const payload of [
      {},
      { inputTokens: 1 },
      { inputTokens: "1", outputTokens: 2 },
      { inputTokens: 1.5, outputTokens: 2 },
      { inputTokens: -1, outputTokens: 2 },
      { inputTokens: 1, outputTokens: 1e300 },
      { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, cacheTokens: 8 },
      { inputTokens: 1, outputTokens: 2, cost: -1 },
      { inputTokens: 1, outputTokens: 2, model: 5 },
      { inputTokens: 1, outputTokens: 2, model: " " },
      { inputTokens: 1, outputTokens: 2, model: "m".repeat(201) },
      { inputTokens: 1, outputTokens: 2, cacheReadTokens: 2, cacheTokens: 5 }
    ]) {
      assert.isFalse(isUsage(payload), JSON.stringify(payload))
      assert.strictEqual(factsOf(JSON.stringify({ type: "tokens", ...payload }))[0]?.kind, "output")
    }
  })

  it("that claims a result is believed by its status, success and summary alone", () => {
    assert.deepStrictEqual(resultClaim({ status: "partial", summary: "s", artifacts: [1] }), {
      status: "partial",
      summary: "s",
      members: { artifacts: [1] }
    })
    assert.strictEqual(resultClaim({ success: true })?.status, "success")
    assert.strictEqual(resultClaim({ success: false })?.status, "failed")
    for (const payload of [
      {},
      { status: "done" },
      { status: null, success: true },
      { success: "true" },
      { status: "success", summary: 1 },
      { status: "failed", success: true }
    ])
      assert.isUndefined(resultClaim(payload), JSON.stringify(payload))
  })

  it("that calls itself output is text", () => {
    assert.deepStrictEqual(factOf({ type: "output", text: "x", stream: "stderr" }), {
      kind: "output",
      payload: { stream: "stdout", text: "x" }
    })
    assert.isUndefined(factOf({ type: "output" }))
  })

  it("too long for one fact says that it goes on, and is not read as structured", () => {
    const reader = outputReader(undefined)
    const found = reader.read([
      { text: '{"type":"message"', goesOn: true },
      { text: '{"type":"message"}', goesOn: false },
      { text: '{"type":"message"}', goesOn: false }
    ])
    assert.deepStrictEqual(
      [...found, ...reader.end()].map(({ kind }) => kind),
      ["output", "message"]
    )
    const error = errorReader()
    const parts = [...error.read([{ text: "word ".repeat(20_000), goesOn: true }]), ...error.end()]
    assert.isTrue(parts.slice(0, -1).every(({ payload }) => payload["partial"] === true))
    assert.strictEqual(parts.map(({ payload }) => payload["text"]).join(""), "word ".repeat(20_000))
  })
})

describe("what was taken out of a fact", () => {
  it("is told by where it stood, never by what it was", () => {
    const before = { a: { b: ["x", "secret"] }, secret: 1, c: "same" }
    const after = { a: { b: ["x", "[REDACTED]"] }, "[REDACTED]": 1, c: "same" }
    assert.deepStrictEqual(changedPaths(before, after), ["a.b.1", ""])
    assert.deepStrictEqual(changedPaths(before, before), [])
  })
})

describe("the environment of an agent", () => {
  it("holds the usual variables, those that are named, and never one of the server's own", () => {
    const anyName = fc.constantFrom(
      "SERVICE_ADMIN_KEY",
      "RELAY_PRIVATE_KEY",
      "MUSTER_TASK_ID",
      "NODE_OPTIONS",
      "NAMED",
      "OTHER",
      "HOME",
      "LC_ALL",
      "LANG"
    )
    fc.assert(
      fc.property(fc.dictionary(anyName, fc.string()), fc.array(anyName), (server, passthroughEnv) => {
        const found = agentEnvironment(server, {
          attemptId: "a",
          taskId: "t",
          runDirectory: "/r",
          command: "c",
          workingDirectory: "/",
          passthroughEnv
        })
        assert.include(found, { MUSTER_TASK_ID: "t", MUSTER_ATTEMPT_ID: "a", MUSTER_RUN_DIR: "/r" })
        for (const name of Object.keys(found)) {
          assert.notMatch(name, /^(?:SERVICE|RELAY)_|^NODE_OPTIONS$/)
          if (name === "NAMED" || name === "OTHER") assert.include(passthroughEnv, name)
        }
        for (const name of ["HOME", "LC_ALL", "LANG"]) assert.strictEqual(found[name], server[name])
      })
    )
    const { PATH } = agentEnvironment(
      { PATH: "/a::bin:./x:/b" },
      {
        attemptId: "a",
        taskId: "t",
        runDirectory: "/r",
        command: "c",
        workingDirectory: "/",
        passthroughEnv: []
      }
    )
    assert.strictEqual(PATH, "/a:/b")
  })
})
