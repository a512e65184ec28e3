import { Effect } from "effect"
import { retentions } from "../../src/Program.ts"
import type { Spans } from "../../src/storage/Retention.ts"
import * as Sweep from "../../src/storage/retention/Sweep.ts"
import { ask } from "./Board.ts"

/** Takes away what is too old, when all read models have taken in what was committed. */
export const sweep = (chosen: Spans = {}) =>
  Effect.gen(function* () {
    yield* ask("GET", "/api/analytics/metrics")
    yield* ask("POST", "/api/search", { body: { query: "task" } })
    yield* ask("GET", "/api/hooks/executions", { as: "admin" })
    yield* Sweep.sweep(retentions, chosen)
  })
