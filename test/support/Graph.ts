import type { Edge } from "../../src/board/dependencies/DependencyGraph.ts"

/** Whether one task leads to another along the edges, found by widening what is reached edge by edge. */
export const leads = (edges: ReadonlyArray<Edge>, from: string, to: string): boolean => {
  const reached = new Set([from])
  for (const _ of edges) for (const edge of edges) if (reached.has(edge.from)) reached.add(edge.to)
  return reached.has(to)
}
