import { given, made, type Scenario } from "./Scenario.ts"

const aBlockedTask = made("/api/tasks", { title: "Wait for the schema", status: "blocked" })

export const analytics: Readonly<Record<string, Scenario>> = {
  "analytics.timeline": given(aBlockedTask, () => ({ query: "?period=1w" })),
  "analytics.metrics": given(aBlockedTask, () => ({ query: "?from=2026-11-01&to=2026-11-21T12:00:00Z" })),
  "analytics.health": given(aBlockedTask, () => ({}))
}
