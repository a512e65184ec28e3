/** An edge of the graph: `from` depends on `to`. */
export interface Edge {
  readonly from: string
  readonly to: string
}

/** How many tasks one answer walks through at the most. */
export const nodeLimit = 1_000

/** How deep the nested lists of an answer go. */
export const depthLimit = 10

const successors = (edges: ReadonlyArray<Edge>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const map = new Map<string, Array<string>>()
  for (const { from, to } of edges) {
    const known = map.get(from)
    if (known === undefined) map.set(from, [to])
    else known.push(to)
  }
  return map
}

/** A task in a nested list, with the tasks behind it. */
export interface Nested {
  readonly id: string
  readonly next: ReadonlyArray<Nested>
}

/**
 * The tasks behind a task as a tree, for an answer that nests them. A task that would come again below itself is left
 * out, and the tree ends at the depth limit and at the node limit.
 */
export const treeFrom = (edges: ReadonlyArray<Edge>, root: string): ReadonlyArray<Nested> => {
  const next = successors(edges)
  let left = nodeLimit
  const grow = (id: string, above: ReadonlyArray<string>): ReadonlyArray<Nested> =>
    above.length > depthLimit
      ? []
      : (next.get(id) ?? [])
          .filter((successor) => !above.includes(successor) && left-- > 0)
          .map((successor) => ({ id: successor, next: grow(successor, [...above, successor]) }))
  return grow(root, [root])
}
