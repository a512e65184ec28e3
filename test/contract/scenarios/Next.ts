import { randomUUID } from "node:crypto"
import { aTask, given, type Scenario } from "./Scenario.ts"

/** Finding the next task, and claiming it. */
export const next: Readonly<Record<string, Scenario>> = {
  "next.get": given(aTask, () => ({ query: "?agent=codex&limit=2" })),
  "next.claimNext": given(aTask, () => ({ body: { agent: "codex", operationId: randomUUID() } })),
  "next.claim": given(aTask, ({ id }) => ({ path: { id }, body: { agent: "codex" } }))
}
