import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Edge } from "../../../src/board/dependencies/DependencyGraph.ts"
import { ImportGraph } from "../../../src/board/imports/ImportGraph.ts"

const node = fc.integer({ min: 0, max: 9 }).map(String)
const edges = fc.array(fc.record({ from: node, to: node }), { maxLength: 60 })

/** A plain walk: whether what an edge leads to leads back. */
const closesCycle = (taken: ReadonlyArray<Edge>, edge: Edge): boolean => {
  const seen = new Set([edge.to])
  for (const id of seen) for (const { from, to } of taken) if (from === id) seen.add(to)
  return seen.has(edge.from)
}

describe("the graph of an import", () => {
  it.prop("takes every edge but those that close a cycle", [edges, edges], ([before, after]) => {
    const taken: Array<Edge> = []
    const expected = (edge: Edge) =>
      edge.from === edge.to
        ? "self"
        : taken.some(({ from, to }) => from === edge.from && to === edge.to)
          ? "present"
          : closesCycle(taken, edge)
            ? "cycle"
            : "added"
    for (const edge of before) if (expected(edge) === "added") taken.push(edge)
    const graph = new ImportGraph(taken)
    for (const edge of after) {
      const outcome = expected(edge)
      assert.strictEqual(graph.add(edge), outcome)
      if (outcome === "added") taken.push(edge)
    }
  })

  it("knows the edges that were there before", () => {
    const graph = new ImportGraph([
      { from: "c", to: "b" },
      { from: "b", to: "a" }
    ])
    assert.strictEqual(graph.add({ from: "a", to: "c" }), "cycle")
    assert.strictEqual(graph.add({ from: "c", to: "a" }), "added")
  })
})
