import type { Edge } from "../dependencies/DependencyGraph.ts"
import { ImportGraph } from "./ImportGraph.ts"
import type { SkippedDependency } from "./ImportResult.ts"
import { type Named, References } from "./References.ts"

/** What became of the references of a task. */
export interface Resolution {
  /** The ids of the tasks that it depends on. */
  readonly dependencies: ReadonlyArray<string>
  readonly unresolved: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<SkippedDependency>
}

/** Turns references into dependencies, on a board whose graph grows with each of them. */
export class ImportDependencies {
  private readonly references: References
  private readonly graph: ImportGraph

  constructor(tasks: Iterable<Named>, edges: Iterable<Edge>) {
    this.references = new References(tasks)
    this.graph = new ImportGraph(edges)
  }

  resolve(taskId: string, references: ReadonlyArray<string>): Resolution {
    const dependencies = new Set<string>()
    const unresolved: Array<string> = []
    const skipped: Array<SkippedDependency> = []
    for (const reference of references) {
      const dependsOn = this.references.find(reference)
      if (dependsOn === undefined) unresolved.push(reference)
      else {
        const outcome = this.graph.add({ from: taskId, to: dependsOn })
        if (outcome === "self" || outcome === "cycle") skipped.push({ taskId, dependsOn, reason: outcome })
        else dependencies.add(dependsOn)
      }
    }
    return { dependencies: [...dependencies], unresolved, skipped }
  }
}
