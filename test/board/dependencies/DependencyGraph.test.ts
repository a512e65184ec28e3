import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, FastCheck as fc } from "effect"
import {
  depthLimit,
  type Edge,
  type Nested,
  nodeLimit,
  treeFrom
} from "../../../src/board/dependencies/DependencyGraph.ts"

const name = fc.constantFrom("a", "b", "c", "d", "e")
const anyEdges = fc.uniqueArray(fc.record({ from: name, to: name }), {
  maxLength: 12,
  size: "max",
  selector: ({ from, to }) => `${from}${to}`
})

/** All ways down a tree, each as the ids that it passes. */
const pathsOf = (tree: ReadonlyArray<Nested>): ReadonlyArray<ReadonlyArray<string>> =>
  tree.flatMap(({ id, next }) => [[id], ...pathsOf(next).map((rest) => [id, ...rest])])

/** All ways from a task along the edges on which no task is met twice, found by brute force. */
const simplePaths = (
  edges: ReadonlyArray<Edge>,
  met: Arr.NonEmptyReadonlyArray<string>
): ReadonlyArray<ReadonlyArray<string>> =>
  edges
    .filter(({ from, to }) => from === Arr.lastNonEmpty(met) && !met.includes(to))
    .flatMap(({ to }) => [[to], ...simplePaths(edges, [...met, to]).map((rest) => [to, ...rest])])

describe("the tree of dependencies", () => {
  it("shows every way down on which no task comes twice, even where the edges go round in circles", () => {
    fc.assert(
      fc.property(anyEdges, (edges) => {
        assert.sameDeepMembers([...pathsOf(treeFrom(edges, "a"))], [...simplePaths(edges, ["a"])])
      })
    )
  })

  it("ends at its depth", () => {
    const chain = Arr.makeBy(30, (index) => ({ from: String(index), to: String(index + 1) }))
    const longest = Math.max(...pathsOf(treeFrom(chain, "0")).map((path) => path.length))
    assert.strictEqual(longest, depthLimit)
  })

  it("ends at its width, however often the ways part and meet again", () => {
    const diamonds = Arr.makeBy(9, (level) =>
      Arr.makeBy(16, (index) => ({ from: `${level}.${index % 4}`, to: `${level + 1}.${index >> 2}` }))
    ).flat()
    assert.isAtMost(pathsOf(treeFrom(diamonds, "0.0")).length, nodeLimit)
  })
})
