import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck as fc, Layer } from "effect"
import { Dependencies } from "../../../src/board/dependencies/Dependencies.ts"
import type { Edge } from "../../../src/board/dependencies/DependencyGraph.ts"
import { unconditional } from "../../../src/kernel/Revision.ts"
import { ask, createTask, getTask } from "../../support/Board.ts"
import { leads } from "../../support/Graph.ts"
import { tester } from "../../support/Journal.ts"
import { seedTask } from "../../support/Seed.ts"
import { storage } from "../../support/TestStorage.ts"
import { World, world } from "../../support/World.ts"

const depend = (id: string, dependsOn: string, direction?: string) =>
  ask("POST", `/api/tasks/${id}/dependencies`, { body: { dependsOn, ...(direction && { direction }) } })

const make = (...ids: ReadonlyArray<string>) =>
  Effect.forEach(ids, (id) => createTask({ id, title: `Task ${id}` }))

const node = (id: string, fields: object = {}) => ({ id, title: `Task ${id}`, status: "todo", ...fields })

describe("a dependency", () => {
  it.scopedLive("is shown from both ends, nested as deep as it goes", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* make("a", "b", "c")
      yield* depend("b", "c")
      const added = yield* request("POST", "/api/tasks/a/dependencies", { body: { dependsOn: "b" } })
      assert.strictEqual(added.status, 201)
      const below = node("b", { depends_on: [node("c", { depends_on: [] })] })
      assert.deepStrictEqual(added.body, { task: node("a"), depends_on: [below], blocks: [] })
      assert.deepStrictEqual(yield* ask("GET", "/api/tasks/a/dependencies"), added.body)
      const above = node("b", { blocks: [node("a", { blocks: [] })] })
      assert.deepStrictEqual(yield* ask("GET", "/api/tasks/c/dependencies"), {
        task: node("c"),
        depends_on: [],
        blocks: [above]
      })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("belongs to the task that depends: its revision rises, whichever end was addressed", () =>
    Effect.gen(function* () {
      yield* make("a", "b")
      const answer = yield* depend("a", "b", "blocks")
      assert.deepStrictEqual(answer.blocks, [node("b", { blocks: [] })])
      assert.deepInclude(yield* getTask("a"), { dependencies: [], revision: 1 })
      assert.deepInclude(yield* getTask("b"), { dependencies: ["a"], revision: 2 })
      yield* ask("DELETE", "/api/tasks/a/dependencies/b?direction=blocks")
      assert.deepInclude(yield* getTask("b"), { dependencies: [], revision: 3 })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is removed in the direction that is named, depends_on when none is", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* make("a", "b", "c")
      yield* depend("a", "b")
      yield* depend("c", "a")
      for (const path of ["a/dependencies/c", "a/dependencies/b?direction=blocks", "a/dependencies/nobody"]) {
        const missing = yield* request("DELETE", `/api/tasks/${path}`)
        assert.strictEqual(missing.status, 404, path)
        assert.strictEqual(missing.body.code, "NOT_FOUND")
      }
      const removed = yield* request("DELETE", "/api/tasks/a/dependencies/b")
      assert.deepStrictEqual([removed.status, removed.body], [204, ""])
      assert.strictEqual((yield* request("DELETE", "/api/tasks/a/dependencies/b")).status, 404)
      assert.deepStrictEqual((yield* getTask("c")).dependencies, ["a"])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is refused to itself, twice, in a circle, and to tasks that are not there", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* make("a", "b", "c")
      yield* depend("a", "b")
      yield* depend("b", "c")
      const attempts: ReadonlyArray<readonly [string, unknown, number, object]> = [
        ["a", { dependsOn: "a" }, 400, { code: "VALIDATION_ERROR" }],
        ["a", { dependsOn: "b" }, 409, { code: "CONFLICT", details: { taskId: "a", dependsOn: "b" } }],
        ["c", { dependsOn: "a" }, 409, { code: "CONFLICT", details: { taskId: "c", dependsOn: "a" } }],
        [
          "a",
          { dependsOn: "c", direction: "blocks" },
          409,
          { code: "CONFLICT", details: { taskId: "c", dependsOn: "a" } }
        ],
        ["a", { dependsOn: "nobody" }, 404, { code: "NOT_FOUND", details: { taskId: "nobody" } }],
        ["nobody", { dependsOn: "a" }, 404, { code: "NOT_FOUND", details: { taskId: "nobody" } }],
        ["a", { dependsOn: 123 }, 400, { code: "VALIDATION_ERROR" }],
        ["a", {}, 400, { code: "VALIDATION_ERROR" }],
        ["a", { dependsOn: "c", direction: "sideways" }, 400, { code: "VALIDATION_ERROR" }]
      ]
      for (const [id, body, status, expected] of attempts) {
        const refused = yield* request("POST", `/api/tasks/${id}/dependencies`, { body })
        assert.strictEqual(refused.status, status, JSON.stringify(body))
        assert.hasAllKeys(refused.body, ["error", "code", "details"])
        assert.deepInclude(refused.body, expected)
      }
      assert.deepStrictEqual((yield* getTask("a")).dependencies, ["b"])
      assert.deepStrictEqual((yield* getTask("c")).dependencies, [])
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is part of a graph with everything below and above", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      yield* make("a", "b", "c", "aside")
      yield* depend("a", "b")
      yield* depend("b", "c")
      yield* depend("a", "c")
      const { edges, nodes, root, truncated } = yield* ask("GET", "/api/tasks/b/dependency-graph")
      assert.deepStrictEqual([root, truncated], ["b", false])
      assert.sameDeepMembers(nodes, [node("a"), node("b"), node("c")])
      assert.sameDeepMembers(edges, [
        { from: "a", to: "b" },
        { from: "b", to: "c" }
      ])
      for (const path of ["dependencies", "dependency-graph", "blocking-status"]) {
        assert.strictEqual((yield* request("GET", `/api/tasks/nobody/${path}`)).status, 404, path)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("blocks until it is done, cancelled or archived, and stops nobody from starting", () =>
    Effect.gen(function* () {
      yield* make("a", "b", "c", "d")
      for (const id of ["b", "c", "d"]) yield* depend("a", id)
      const status = ask("GET", "/api/tasks/a/blocking-status")
      assert.deepStrictEqual(yield* status, {
        taskId: "a",
        isBlocked: true,
        blocked: true,
        blockers: [node("b"), node("c"), node("d")]
      })
      yield* ask("PATCH", "/api/tasks/a", { body: { status: "in-progress" } })
      yield* ask("PATCH", "/api/tasks/b", { body: { status: "done" } })
      yield* ask("PATCH", "/api/tasks/c", { body: { status: "cancelled" } })
      assert.deepStrictEqual((yield* status).blockers, [node("d")])
      yield* ask("POST", "/api/tasks/d/archive")
      assert.deepInclude(yield* status, { isBlocked: false, blocked: false, blockers: [] })
    }).pipe(Effect.provide(world()))
  )
})

const names = ["a", "b", "c", "d", "e", "f"] as const
const anyName = fc.constantFrom(...names)

describe("the graph of dependencies", () => {
  it("never closes a circle, whatever edges are added in whatever order", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyName, anyName, fc.constantFrom("depends_on" as const, "blocks" as const)), {
          maxLength: 25,
          size: "max"
        }),
        (wishes) =>
          Effect.gen(function* () {
            const dependencies = yield* Dependencies
            yield* Effect.forEach(names, (name) => seedTask(name))
            const edges: Array<Edge> = []
            for (const [id, other, direction] of wishes) {
              const [from, to] = direction === "depends_on" ? [id, other] : [other, id]
              const expected =
                from === to
                  ? "SelfDependency"
                  : edges.some((edge) => edge.from === from && edge.to === to)
                    ? "DependencyExists"
                    : leads(edges, to, from)
                      ? "DependencyCycle"
                      : "added"
              const result = yield* Effect.either(
                dependencies.add({ id, other, direction }, unconditional, tester)
              )
              assert.strictEqual(Either.isRight(result) ? "added" : result.left._tag, expected)
              if (expected === "added") edges.push({ from, to })
            }
            for (const name of names) {
              const { depends_on } = yield* dependencies.list(name)
              const direct = edges.flatMap(({ from, to }) => (from === name ? [to] : []))
              assert.sameMembers(
                depends_on.map(({ id }) => id),
                direct
              )
            }
          }).pipe(Effect.provide(Layer.provideMerge(Dependencies.layer, storage)), Effect.runPromise)
      ),
      { numRuns: 25 }
    ))
})
