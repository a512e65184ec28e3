import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createTask } from "../support/Board.ts"
import { deserted, stub } from "../support/Stub.ts"
import { toolsAs, toolsWith } from "../support/Tools.ts"
import { keys, temporaryDirectory, World, world } from "../support/World.ts"

describe("a tool that can't do its work", () => {
  it.scopedLive("says how to start the server when it is down, and works as soon as it is up", () =>
    Effect.gen(function* () {
      const url = yield* deserted
      const { call, client } = yield* toolsWith({ SERVICE_API_URL: url, SERVICE_API_KEY: keys.agent })
      assert.strictEqual((yield* Effect.promise(() => client.listTools())).tools.length, 15)
      const down = yield* call("list_tasks")
      assert.deepStrictEqual(down, {
        text: `No answer from ${url}: nobody listens there\nStart the server with npm start in its directory, or set SERVICE_API_URL to its address in the configuration of this tool server; then call again.`,
        isError: true
      })
      const port = Number(new URL(url).port)
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* call("list_tasks"), { text: "No tasks.", isError: false })
      }).pipe(Effect.provide(world({ port })))
      assert.isTrue((yield* call("list_tasks")).isError, "and it may go again")
    })
  )

  it.scopedLive("says that the address is none", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsWith({ SERVICE_API_URL: "ftp://board" })
      const { isError, text } = yield* call("next_task")
      assert.isTrue(isError)
      assert.include(text, "Set SERVICE_API_URL to the base address of the server")
    })
  )

  it.scopedLive("says what is wrong with the key, and never what the key is", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const wrong = "not-a-key-of-this-board"
      for (const environment of [{ SERVICE_API_KEY: wrong }, { SERVICE_DATA_DIR: "/nowhere" }]) {
        const { call } = yield* toolsWith({ SERVICE_API_URL: baseUrl, ...environment })
        const { isError, text } = yield* call("next_task")
        assert.isTrue(isError)
        assert.include(text, "Set SERVICE_API_KEY to a key of an agent")
        assert.notInclude(text, wrong)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("finds the key of this machine, also one that is written later, or is another by then", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const directory = yield* temporaryDirectory
      const { call } = yield* toolsWith({ SERVICE_API_URL: baseUrl, SERVICE_DATA_DIR: directory })
      assert.isTrue((yield* call("list_tasks")).isError)
      const file = join(directory, "admin-key")
      writeFileSync(file, `${keys.admin}\n`)
      assert.strictEqual((yield* call("squad_chat", { message: "Hi" })).text.split(" as ")[1], "admin")
      writeFileSync(file, `${keys.agent}\n`)
      assert.strictEqual((yield* call("squad_chat", { message: "Hi" })).text.split(" as ")[1], "codex")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says that the key may not do this", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs("read-only")
      yield* createTask({ id: "T-1" })
      assert.isFalse((yield* call("get_task", { id: "T-1" })).isError)
      const { isError, text } = yield* call("claim_task")
      assert.isTrue(isError)
      assert.strictEqual(
        text,
        "The role read-only does not have the permission task:write\nThe key of this tool server may not do this. Leave it to a person."
      )
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says that an id is unknown, and how to find one", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      for (const [name, input] of [
        ["get_task", {}],
        ["task_context", {}],
        ["claim_task", {}],
        ["update_task", { title: "x" }],
        ["move_task", { status: "done" }],
        ["add_comment", { text: "x" }],
        ["track_time", { action: "start" }],
        ["add_observation", { content: "x" }],
        ["checkpoint", { action: "resume" }],
        ["dependency", { action: "add", dependsOn: "T-1" }]
      ] as const) {
        assert.deepStrictEqual(
          yield* call(name, { id: "T-9", ...input }),
          { text: "Task T-9 does not exist\nFind the id with list_tasks.", isError: true },
          name
        )
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("says who shares an identity when nobody may change the task", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      const { request } = yield* World
      yield* request("POST", "/api/tasks/import", {
        as: "admin",
        raw: '{"id":"twin","title":"One"}\n{"id":"twin","title":"Two"}',
        headers: { "content-type": "application/x-ndjson" }
      })
      const { isError, text } = yield* call("update_task", { id: "twin", title: "x" })
      assert.isTrue(isError)
      assert.match(text, /^Duplicate task identity detected\n- twin is claimed by tasks\/active/)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("trusts no answer of somebody who is not the board", () =>
    Effect.gen(function* () {
      const secret = "Bearer abcdefghijklmnop0123456789"
      for (const answer of [
        { body: { tasks: "none" } },
        { body: "<html>", type: "text/html" },
        { status: 500, body: `stack at ${secret}`, type: "text/plain" },
        { status: 409, body: { error: `x ${secret} ${"y".repeat(50_000)}`, code: "CONFLICT" } },
        { status: 502, body: "bad gateway", type: "text/html" }
      ]) {
        const { url } = yield* stub(() => answer)
        const { call } = yield* toolsWith({ SERVICE_API_URL: url, SERVICE_API_KEY: keys.agent })
        for (const name of ["list_tasks", "search"]) {
          const { isError, text } = yield* call(name, name === "search" ? { query: "x" } : {})
          assert.isTrue(isError, JSON.stringify(answer))
          assert.notInclude(text, "abcdefghijklmnop0123456789")
          assert.isAtMost(text.length, 4_000)
        }
      }
    })
  )
})
