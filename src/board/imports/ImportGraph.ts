import type { Edge } from "../dependencies/DependencyGraph.ts"

/** What comes of a new edge. */
export type EdgeOutcome = "added" | "present" | "self" | "cycle"

/**
 * The dependencies of the board while an import adds to them. An edge that would close a cycle stays out: the rule is
 * that of the dependencies room, on a graph that grows by thousands of edges without being built anew.
 */
export class ImportGraph {
  private readonly dependencies = new Map<string, Set<string>>()
  private readonly dependents = new Set<string>()

  constructor(edges: Iterable<Edge>) {
    for (const edge of edges) this.put(edge)
  }

  /** Adds an edge unless it must not be. */
  add(edge: Edge): EdgeOutcome {
    if (edge.from === edge.to) return "self"
    if (this.dependencies.get(edge.from)?.has(edge.to) === true) return "present"
    if (this.reaches(edge.to, edge.from)) return "cycle"
    this.put(edge)
    return "added"
  }

  private put({ from, to }: Edge): void {
    const known = this.dependencies.get(from)
    if (known === undefined) this.dependencies.set(from, new Set([to]))
    else known.add(to)
    this.dependents.add(to)
  }

  /** Does a walk lead from one task to another? None leads to a task on which nothing depends. */
  private reaches(from: string, to: string): boolean {
    if (!this.dependents.has(to)) return false
    const seen = new Set([from])
    for (const id of seen) {
      if (id === to) return true
      for (const next of this.dependencies.get(id) ?? []) seen.add(next)
    }
    return false
  }
}
