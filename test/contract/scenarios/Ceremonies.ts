import { Effect } from "effect"
import { type Ask, aTask, given, just, made, type Scenario } from "./Scenario.ts"

const aCeremony = (ask: Ask) =>
  Effect.flatMap(aTask(ask), ({ id }) =>
    made("/api/ceremonies", { type: "design-review", taskId: id, requiredArtifacts: ["minutes"] })(ask)
  )

export const ceremonies: Readonly<Record<string, Scenario>> = {
  "ceremonies.list": just({ query: "?status=pending&type=design-review&limit=5" }),
  "ceremonies.create": given(aTask, ({ id }) => ({
    body: { type: "failure-retrospective", taskId: id, runId: "run_1", participants: ["ann", "codex"] }
  })),
  "ceremonies.get": given(aCeremony, ({ id }) => ({ path: { id } })),
  "ceremonies.complete": given(aCeremony, ({ id }) => ({
    path: { id },
    body: {
      completedBy: "ann",
      artifacts: [{ kind: "minutes", title: "What we said", body: "We keep it." }],
      actionItems: [{ title: "Write it down", priority: "high" }]
    }
  }))
}
