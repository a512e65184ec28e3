import { readFileSync } from "node:fs"
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import { dialectOf } from "../../../src/runs/adapters/dialects/Dialects.ts"
import type { Fact } from "../../../src/runs/adapters/facts/Fact.ts"
import { resultClaim } from "../../../src/runs/adapters/facts/ResultClaim.ts"
import { structured } from "../../../src/runs/adapters/facts/StructuredLine.ts"
import { isUsage } from "../../../src/runs/adapters/facts/Usage.ts"

/** Lines of the documented format, written by hand: see the README beside them. */
const linesOf = (profile: string): ReadonlyArray<string> =>
  readFileSync(new URL(`../../fixtures/dialects/${profile}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")

const factsOf = (command: string, lines: ReadonlyArray<string>): ReadonlyArray<Fact> => {
  const reader = dialectOf(command)?.reader() ?? assert.fail(`${command} is not known`)
  const facts = lines.flatMap((line) => {
    const found = structured(line)
    return found === undefined ? [] : (reader.read(found) ?? [])
  })
  return [...facts, ...reader.end()]
}

const payloads = (facts: ReadonlyArray<Fact>, kind: string) =>
  facts.filter((fact) => fact.kind === kind).map(({ payload }) => payload)

const buckets = (facts: ReadonlyArray<Fact>) =>
  payloads(facts, "tokens").reduce<Readonly<Record<"input" | "read" | "write" | "output" | "cost", number>>>(
    (sum, usage) => ({
      input: sum.input + Number(usage["inputTokens"]),
      read: sum.read + Number(usage["cacheReadTokens"]),
      write: sum.write + Number(usage["cacheWriteTokens"]),
      output: sum.output + Number(usage["outputTokens"]),
      cost: sum.cost + Number(usage["cost"] ?? 0)
    }),
    { input: 0, read: 0, write: 0, output: 0, cost: 0 }
  )

describe("Claude Code", () => {
  const lines = linesOf("claude-code")
  const facts = factsOf("/usr/local/bin/claude", lines)

  it("says what it does, and how it ended", () => {
    assert.deepStrictEqual(
      facts.map(({ kind }) => kind),
      [
        "system",
        "message",
        "tool_call",
        "tool_result",
        "tokens",
        "message",
        "tokens",
        "tokens",
        "tokens",
        "result"
      ]
    )
    assert.deepStrictEqual(payloads(facts, "tool_call"), [
      { id: "toolu_1", name: "Bash", input: { command: "npm test" } }
    ])
    assert.deepStrictEqual(payloads(facts, "tool_result"), [
      { id: "toolu_1", output: "1 failed", isError: true }
    ])
    assert.deepStrictEqual(payloads(facts, "result"), [{ status: "success", summary: "Fixed." }])
  })

  it("counts each token once: answers as they end, and at last what none of them showed", () => {
    const sum = buckets(facts)
    assert.deepInclude(sum, { input: 310, read: 5000, write: 1100, output: 70 })
    assert.closeTo(sum.cost, 0.05, 1e-9)
    const [first] = payloads(facts, "tokens")
    assert.deepInclude(first, {
      model: "claude-sonnet-4-5",
      inputTokens: 4,
      cacheTokens: 3000,
      outputTokens: 30
    })
  })

  it("that is killed has told what was used until then", () => {
    assert.deepInclude(buckets(factsOf("claude", lines.slice(0, -1))), {
      input: 10,
      read: 5000,
      write: 1100,
      output: 32
    })
  })

  it("counts once where the sum names models otherwise, or not at all", () => {
    const last = JSON.parse(lines.at(-1) ?? "")
    const renamed = { ...last, modelUsage: { "vendor/sonnet": last.modelUsage["claude-sonnet-4-5"] } }
    const summed = buckets(factsOf("claude", [...lines.slice(0, -1), JSON.stringify(renamed)]))
    assert.deepInclude(summed, { input: 10, read: 5000, write: 1100, output: 50 })
    const bare = { ...last, modelUsage: undefined }
    assert.deepInclude(buckets(factsOf("claude", [...lines.slice(0, -1), JSON.stringify(bare)])), {
      input: 10,
      read: 5000,
      write: 1100,
      output: 50
    })
  })

  it("counts what a model has used whose name no report may have", () => {
    const last = JSON.parse(lines.at(-1) ?? "")
    for (const name of ["", " ", "m".repeat(201)]) {
      const named = { ...last, modelUsage: { [name]: last.modelUsage["claude-sonnet-4-5"] } }
      const told = payloads(factsOf("claude", [JSON.stringify(named)]), "tokens")
      assert.isAbove(told.length, 0)
      for (const payload of told) assert.isTrue(isUsage(payload), JSON.stringify(payload))
    }
  })

  it("that gives up has failed", () => {
    const line = JSON.stringify({ type: "result", subtype: "error_max_turns", is_error: true, usage: {} })
    assert.deepStrictEqual(payloads(factsOf("claude", [line]), "result"), [
      { status: "failed", summary: "error_max_turns" }
    ])
  })
})

describe("Codex", () => {
  const facts = factsOf("codex", linesOf("codex"))

  it("says what it does, and how it ended", () => {
    assert.deepStrictEqual(
      facts.map(({ kind }) => kind),
      [
        "thread.started",
        "turn.started",
        "reasoning",
        "tool_call",
        "tool_result",
        "tool_call",
        "tool_result",
        "message",
        "tokens",
        "result"
      ]
    )
    assert.deepStrictEqual(payloads(facts, "tool_result"), [
      { id: "item_1", output: { text: "docs\nsrc\n", exitCode: 0 } },
      { id: "item_2", output: { status: "failed" }, isError: true }
    ])
    assert.deepStrictEqual(payloads(facts, "result"), [
      { status: "success", summary: "Repo contains docs and src." }
    ])
  })

  it("counts what came out of the cache, and its reasoning, once", () => {
    assert.deepInclude(buckets(facts), { input: 315, read: 24_448, write: 0, output: 122 })
    const turn = (input: number) =>
      JSON.stringify({ type: "turn.completed", usage: { input_tokens: input, output_tokens: 1 } })
    assert.strictEqual(buckets(factsOf("codex", [turn(100), turn(150)])).input, 150)
  })

  it("whose turn fails has failed", () => {
    const line = JSON.stringify({ type: "turn.failed", error: { message: "no quota" } })
    assert.deepStrictEqual(payloads(factsOf("codex", [line]), "result"), [
      { status: "failed", summary: "no quota" }
    ])
  })
})

describe("Gemini CLI", () => {
  const facts = factsOf("gemini", linesOf("gemini"))

  it("says what it does, and how it ended; the prompt does not come back", () => {
    assert.deepStrictEqual(
      facts.map(({ kind }) => kind),
      ["init", "message", "tool_call", "tool_result", "message", "message", "tokens", "result"]
    )
    assert.deepStrictEqual(payloads(facts, "result"), [{ status: "success", summary: "There is one file." }])
  })

  it("counts the cache once, and thoughts as output", () => {
    assert.deepInclude(buckets(facts), { input: 600, read: 400, write: 0, output: 250 })
  })
})

describe("opencode", () => {
  const facts = factsOf("opencode", linesOf("opencode"))

  it("says what it does, and how it ended", () => {
    assert.deepStrictEqual(
      facts.map(({ kind }) => kind),
      ["step_start", "tool_call", "tool_result", "tokens", "message", "tokens", "result"]
    )
    assert.deepStrictEqual(payloads(facts, "result"), [{ status: "success", summary: "There is src." }])
  })

  it("counts reasoning once: beside the output where a total says so, and as a part of it otherwise", () => {
    assert.deepInclude(buckets(facts), { input: 1210, read: 2800, write: 100, output: 350 + 40 })
  })

  it("with an error has failed", () => {
    const line = JSON.stringify({
      type: "error",
      error: { name: "UnknownError", data: { message: "no model" } }
    })
    assert.deepStrictEqual(payloads(factsOf("opencode", [line]), "result"), [
      { status: "failed", summary: "no model" }
    ])
  })
})

describe("every dialect", () => {
  const commands = ["claude", "codex", "gemini", "opencode"] as const
  const args = (command: string, configured?: ReadonlyArray<string>, model?: string) =>
    dialectOf(command)?.args(configured, model).join(" ")

  it("is called so that it reads a prompt and writes lines, whatever of that is configured already", () => {
    assert.strictEqual(args("claude"), "-p --output-format stream-json --verbose")
    assert.strictEqual(
      args("claude", ["-p"], "opus"),
      "-p --output-format stream-json --verbose --model opus"
    )
    assert.strictEqual(
      args("claude", ["--print", "--output-format=text", "--model", "x"], "opus"),
      "--print --output-format=text --model x"
    )
    assert.strictEqual(args("codex", undefined, "gpt-5"), "exec --json --model gpt-5")
    assert.strictEqual(args("codex", ["exec", "--json", "-m", "x"], "y"), "exec --json -m x")
    assert.strictEqual(args("codex", ["app-server"]), "app-server")
    assert.strictEqual(args("gemini", ["--yolo"]), "--yolo --output-format stream-json")
    assert.strictEqual(args("opencode", [], "a/b"), "run --format json --model a/b")
    assert.isUndefined(dialectOf("node"))
    assert.isUndefined(dialectOf("/bin/claude-wrapper"))
  })

  it("survives any line, and never says something malformed", () => {
    const known = commands.flatMap((command) =>
      linesOf(command === "claude" ? "claude-code" : command).map((line) => JSON.parse(line))
    )
    const anyMember = fc.constantFrom(
      "message",
      "usage",
      "item",
      "part",
      "stats",
      "modelUsage",
      "error",
      "result"
    )
    const anyLine = fc
      .tuple(fc.constantFrom(...known), anyMember, fc.jsonValue({ maxDepth: 2 }))
      .map(([line, member, value]) => JSON.stringify({ ...line, [member]: value }))
    fc.assert(
      fc.property(fc.constantFrom(...commands), fc.array(anyLine, { maxLength: 8 }), (command, lines) => {
        for (const { kind, payload } of factsOf(command, lines)) {
          if (kind === "tokens") assert.isTrue(isUsage(payload), JSON.stringify(payload))
          if (kind === "result") assert.isDefined(resultClaim(payload), JSON.stringify(payload))
        }
      }),
      { numRuns: 300 }
    )
  })
})
