import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { getTask } from "../support/Board.ts"
import { deserted, stub } from "../support/Stub.ts"
import { bare, connected } from "../support/ToolProcess.ts"
import { keys, World, world } from "../support/World.ts"

const request = (id: number | string, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`

const hello = (protocolVersion: string): string =>
  request(0, "initialize", {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "test", version: "0" }
  })

const callOf = (id: number | string, name: string, input: unknown = {}): string =>
  request(id, "tools/call", { name, arguments: input })

describe("the tool server over stdio", () => {
  it.scopedLive("lets an agent do its work from the claim to the end", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const { call, client, stderr } = yield* connected({
        SERVICE_API_URL: `${baseUrl}/api/v1`,
        SERVICE_API_KEY: keys.agent
      })
      assert.strictEqual(client.getServerVersion()?.name, "muster")
      assert.include(client.getInstructions() ?? "", "claim_task")
      const created = yield* call("create_task", { title: "Sail" })
      const id = created.text.split(" ")[0] ?? ""
      assert.strictEqual((yield* call("claim_task")).text, `${id} claimed by codex: "Sail", revision 2`)
      assert.include((yield* call("task_context", { id })).text, "in-progress")
      yield* call("add_comment", { id, text: "Sailed around the cape and back" })
      const done = yield* call("move_task", { id, status: "done" })
      assert.deepStrictEqual(done, { text: `${id} moved to done, revision 4`, isError: false })
      assert.deepInclude(yield* getTask(id), { status: "done", createdBy: "codex", updatedBy: "codex" })
      assert.strictEqual(stderr(), "")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("has its tools while the board is down, and its calls work when it is up", () =>
    Effect.gen(function* () {
      const url = yield* deserted
      const { call, client } = yield* connected({
        SERVICE_API_URL: url,
        SERVICE_API_KEY: keys.agent
      })
      assert.strictEqual((yield* Effect.promise(() => client.listTools())).tools.length, 15)
      const down = yield* call("claim_task")
      assert.isTrue(down.isError)
      assert.include(down.text, "Start the server with npm start")
      const port = Number(new URL(url).port)
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* call("list_tasks")).text, "No tasks.")
      }).pipe(Effect.provide(world({ port })))
      assert.isTrue((yield* call("list_tasks")).isError)
    })
  )

  it.scopedLive("answers many calls at once, each with its own answer", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const { call } = yield* connected({ SERVICE_API_URL: baseUrl, SERVICE_API_KEY: keys.agent })
      yield* Effect.forEach(
        Array.from({ length: 50 }, (_, index) => index),
        (index) =>
          Effect.gen(function* () {
            const { text } = yield* call("create_task", { title: `Title ${index}` })
            const id = text.split(" ")[0] ?? ""
            assert.match((yield* call("get_task", { id })).text, new RegExp(`^${id} Title ${index}\\n`))
          }),
        { concurrency: "unbounded", discard: true }
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("speaks the newest version with clients that ask for it", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const { call, client } = yield* connected(
        { SERVICE_API_URL: baseUrl, SERVICE_API_KEY: keys.agent },
        { versionNegotiation: { mode: "auto" } }
      )
      assert.strictEqual(client.getNegotiatedProtocolVersion(), "2026-07-28")
      assert.strictEqual((yield* Effect.promise(() => client.listTools())).tools.length, 15)
      assert.deepStrictEqual(yield* call("list_tasks"), { text: "No tasks.", isError: false })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("speaks the versions of the protocol that clients have", () =>
    Effect.gen(function* () {
      for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
        const { answerTo, child } = yield* bare({ SERVICE_API_URL: yield* deserted })
        child.stdin.write(hello(version))
        assert.propertyVal((yield* answerTo(0))["result"], "protocolVersion", version)
        child.stdin.write(request(1, "tools/list"))
        assert.property((yield* answerTo(1))["result"], "tools")
      }
    })
  )
})

describe("hostile input", () => {
  it.scopedLive("is answered as the protocol says, or passed over, and the next request is served", () =>
    Effect.gen(function* () {
      const secret = "sk-ant-api03-0123456789abcdefghij0123456789abcdefghij"
      const { answerTo, child, lines, stderr } = yield* bare({
        SERVICE_API_URL: yield* deserted,
        SERVICE_API_KEY: secret
      })
      child.stdin.write(hello("2025-06-18"))
      yield* answerTo(0)
      for (const noise of [
        "garbage {",
        `{"jsonrpc":"2.0","id":${secret}}`,
        "",
        "[]",
        "null",
        '"text"',
        '{"jsonrpc":"1.0","id":9,"method":"tools/list"}',
        '{"jsonrpc":"2.0","method":"notifications/unknown"}',
        '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
        `${"[".repeat(100_000)}`,
        "\u0000\u0001\u0002"
      ]) {
        child.stdin.write(`${noise}\n`)
      }
      child.stdin.write(request("unknown", "tools/burn"))
      child.stdin.write(request("no-tool", "tools/call", { name: "burn_board" }))
      child.stdin.write(request("prototype", "tools/call", { name: "constructor" }))
      child.stdin.write(request("nameless", "tools/call", {}))
      child.stdin.write(callOf("list", "list_tasks", [1]))
      child.stdin.write(callOf("poisoned", "create_task", JSON.parse('{"title":"x","__proto__":{"a":1}}')))
      child.stdin.write(callOf("deep", "checkpoint", { id: "T-1", action: secret }))
      child.stdin.write(callOf("down", "next_task"))
      for (const id of ["unknown", "no-tool", "prototype", "nameless", "list"]) {
        assert.isNumber(Object(yield* answerTo(id))["error"]?.code, id)
      }
      for (const id of ["poisoned", "deep", "down"]) {
        assert.propertyVal((yield* answerTo(id))["result"], "isError", true, id)
      }
      child.stdin.write(request("last", "tools/list"))
      assert.property((yield* answerTo("last"))["result"], "tools")
      for (const line of lines()) {
        assert.strictEqual(JSON.parse(line).jsonrpc, "2.0")
        assert.notInclude(line, secret)
      }
      assert.notInclude(stderr(), secret)
    })
  )

  it.scopedLive("of a megabyte in one argument is refused, and costs nobody else anything", () =>
    Effect.gen(function* () {
      const { answerTo, child } = yield* bare({ SERVICE_API_URL: yield* deserted })
      child.stdin.write(hello("2025-06-18"))
      child.stdin.write(callOf(1, "create_task", { title: "x".repeat(3_000_000) }))
      child.stdin.write(callOf(2, "create_task", { title: "x", labels: Array(200_000).fill("l") }))
      child.stdin.write(request(3, "tools/list"))
      for (const [id, field] of [
        [1, "title"],
        [2, "labels"]
      ] as const) {
        const { content, isError } = Object((yield* answerTo(id))["result"])
        assert.isTrue(isError)
        assert.include(content[0].text, `${field}: Expected at most`)
        assert.isBelow(content[0].text.length, 1_000)
      }
      assert.property((yield* answerTo(3))["result"], "tools")
    })
  )

  it.scopedLive("of a hundred thousand brackets is refused without a full stack", () =>
    Effect.gen(function* () {
      const { answerTo, child } = yield* bare({ SERVICE_API_URL: yield* deserted })
      child.stdin.write(hello("2025-06-18"))
      const state = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
      const input = `{"id":"T-1","action":"save","state":${state}}`
      child.stdin.write(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"checkpoint","arguments":${input}}}\n`
      )
      const { content, isError } = Object((yield* answerTo(1))["result"])
      assert.isTrue(isError)
      assert.include(content[0].text, "They nest deeper than 64 levels")
    })
  )

  it.scopedLive("without an end ends the server instead of filling the memory", () =>
    Effect.gen(function* () {
      const { child, ended, lines, stderr } = yield* bare({ SERVICE_API_URL: yield* deserted })
      for (let sent = 0; sent < 12; sent++) child.stdin.write("a".repeat(1_048_576))
      const [code] = yield* ended
      assert.isNumber(code)
      assert.include(stderr(), "exceeded maximum size")
      assert.deepStrictEqual(lines(), [])
    })
  )
})

describe("the end", () => {
  it.scopedLive("comes when stdin is closed, before anything was said", () =>
    Effect.gen(function* () {
      const { child, ended, stderr } = yield* bare({ SERVICE_API_URL: yield* deserted })
      child.stdin.end()
      assert.deepStrictEqual(yield* ended, [0, null])
      assert.strictEqual(stderr(), "")
    })
  )

  it.scopedLive("comes when stdin is closed, although a call waits for a board that hangs", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* stub(() => ({ hang: true }))
      const { answerTo, child, ended } = yield* bare({
        SERVICE_API_URL: url,
        SERVICE_API_KEY: "key"
      })
      child.stdin.write(hello("2025-06-18"))
      yield* answerTo(0)
      child.stdin.write(callOf(1, "list_tasks"))
      yield* asked
      const before = performance.now()
      child.stdin.end()
      assert.deepStrictEqual(yield* ended, [0, null])
      assert.isBelow(performance.now() - before, 5_000, "a call may take ten seconds, its end may not")
    })
  )

  it.scopedLive("comes when nobody reads any more", () =>
    Effect.gen(function* () {
      const { answerTo, child, ended } = yield* bare({ SERVICE_API_URL: yield* deserted })
      child.stdin.write(hello("2025-06-18"))
      yield* answerTo(0)
      child.stdout.destroy()
      child.stdin.write(request(1, "tools/list"))
      const [code] = yield* ended
      assert.strictEqual(code, 0)
    })
  )
})
