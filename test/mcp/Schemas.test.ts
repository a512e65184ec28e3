import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import addFormats from "ajv-formats"
import { Effect } from "effect"
import { TaskPriority, TaskStatus } from "../../src/board/tasks/Task.ts"
import { createTask } from "../support/Board.ts"
import { toolsAs, toolsWith } from "../support/Tools.ts"
import { World, world } from "../support/World.ts"

const listed = Effect.flatMap(toolsWith({}), ({ client }) => Effect.promise(() => client.listTools()))

/** Every value that stands under a key, however deep. */
const valuesOf = (key: string, node: unknown): ReadonlyArray<unknown> =>
  typeof node !== "object" || node === null
    ? []
    : Object.entries(node).flatMap(([name, value]) => [
        ...(name === key ? [value] : []),
        ...valuesOf(key, value)
      ])

describe("the list of tools", () => {
  it.scopedLive("is short: fifteen tools in less than 4,000 tokens", () =>
    Effect.gen(function* () {
      const { tools } = yield* listed
      assert.deepStrictEqual(
        tools.map(({ name }) => name),
        [
          "next_task",
          "claim_task",
          "task_context",
          "list_tasks",
          "get_task",
          "create_task",
          "update_task",
          "move_task",
          "add_comment",
          "track_time",
          "add_observation",
          "checkpoint",
          "dependency",
          "squad_chat",
          "search"
        ]
      )
      // A token is about four characters of JSON. The spec's bound is 5,000; the rest is a margin.
      assert.isBelow(JSON.stringify(tools).length / 4, 4_000)
    })
  )

  it.scopedLive("describes every tool and its input, which is an object that takes nothing unknown", () =>
    Effect.gen(function* () {
      const { tools } = yield* listed
      const ajv = addFormats.default(new Ajv({ strict: true, strictTypes: false }))
      for (const { description, inputSchema, name } of tools) {
        assert.isAbove(description?.length ?? 0, 20, name)
        assert.strictEqual(inputSchema.type, "object")
        assert.strictEqual(inputSchema["additionalProperties"], false, name)
        assert.doesNotThrow(() => ajv.compile(inputSchema), name)
        for (const noise of ["$ref", "$defs", "$id", "$schema"]) {
          assert.deepStrictEqual(valuesOf(noise, inputSchema), [], `${name} ${noise}`)
        }
        for (const said of valuesOf("description", inputSchema)) {
          assert.notMatch(String(said), /^an? (string|number|array)/, name)
        }
      }
    })
  )

  it.scopedLive("names the statuses and priorities that the board knows, all of them and no other", () =>
    Effect.gen(function* () {
      const { tools } = yield* listed
      const known: ReadonlyArray<ReadonlyArray<string>> = [TaskStatus.literals, TaskPriority.literals]
      const named = tools.flatMap(({ inputSchema }) => valuesOf("enum", inputSchema))
      for (const values of known) assert.deepInclude(named, [...values])
      for (const values of named) {
        const list = Array.isArray(values) ? values : []
        const same = known.find((all) => all.includes(list[0]))
        if (same !== undefined) assert.deepStrictEqual(list, [...same])
      }
    })
  )

  it.scopedLive("says of each tool what it does to the board", () =>
    Effect.gen(function* () {
      const { tools } = yield* listed
      const having = (hint: "readOnlyHint" | "destructiveHint" | "idempotentHint") =>
        tools.filter(({ annotations }) => annotations?.[hint] === true).map(({ name }) => name)
      assert.deepStrictEqual(having("readOnlyHint"), [
        "next_task",
        "task_context",
        "list_tasks",
        "get_task",
        "search"
      ])
      assert.deepStrictEqual(having("destructiveHint"), ["update_task", "checkpoint", "dependency"])
      assert.deepStrictEqual(having("idempotentHint"), ["update_task", "move_task"])
      for (const { annotations } of tools) assert.isFalse(annotations?.openWorldHint)
    })
  )
})

describe("the input of a tool", () => {
  it.scopedLive("is refused with the name of the field and without what was sent", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      yield* createTask({ id: "T-1" })
      const secret = "a-secret-that-nobody-repeats"
      for (const [name, input, said] of [
        ["create_task", { titel: secret }, /titel: is unexpected.*title: is missing/s],
        ["create_task", { title: "" }, /title: Expected text that is not blank/],
        ["create_task", { title: "x".repeat(501) }, /title: Expected at most 500 characters/],
        ["create_task", { title: "x", priority: secret }, /priority: Expected "low" or "medium"/],
        ["create_task", { title: "x", labels: secret }, /labels: Expected a list/],
        ["move_task", { id: "T-1", status: secret }, /status: Expected "backlog" or "todo"/],
        ["move_task", { status: "done" }, /id: is missing/],
        ["move_task", { id: "T-1", status: "done", index: -1 }, /index: Expected an integer from 0/],
        ["add_observation", { id: "T-1", content: "x", importance: 11 }, /importance: Expected an integer/],
        ["update_task", { id: "T-1", reviewScores: { security: 11 } }, /reviewScores.security: Expected/],
        ["squad_chat", { message: "x", since: secret }, /since: Expected/],
        ["list_tasks", { limit: "7" }, /limit: Expected/]
      ] as const) {
        const told = yield* call(name, input)
        assert.isTrue(told.isError, name)
        assert.match(told.text, said)
        assert.notInclude(told.text, secret)
        assert.isBelow(told.text.length, 1_000)
      }
      const { request } = yield* World
      const { body } = yield* request("GET", "/api/tasks/T-1")
      assert.strictEqual(body.revision, 1, "nothing of this reached the board")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("may be as large as the board takes it, and is refused when it is larger", () =>
    Effect.gen(function* () {
      const { call } = yield* toolsAs()
      const fits = yield* call("create_task", { title: "Long", description: "d".repeat(100_000) })
      assert.isFalse(fits.isError, fits.text)
      const large = yield* call("create_task", { title: "Long", description: "d".repeat(3_000_000) })
      assert.isTrue(large.isError)
      assert.include(large.text, "description: Expected at most 100000 characters")
    }).pipe(Effect.provide(world()))
  )
})
