import { Effect } from "effect"
import { retentions } from "../../src/Program.ts"
import type { Spans } from "../../src/storage/Retention.ts"
import * as Sweep from "../../src/storage/retention/Sweep.ts"
import { run, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { ask } from "./Board.ts"
import { World } from "./World.ts"

/** Takes away what is too old, when all read models have taken in what was committed. */
export const sweep = (chosen: Spans = {}) =>
  Effect.gen(function* () {
    yield* ask("GET", "/api/analytics/metrics")
    yield* ask("POST", "/api/search", { body: { query: "task" } })
    yield* ask("GET", "/api/hooks/executions", { as: "admin" })
    const { request } = yield* World
    yield* request("GET", "/api/agents/nobody/recovery")
    // Whoever follows approvals alone passes what happens to others once an hour, and no request waits for it.
    const { write } = yield* Storage
    yield* write(
      run(sql`
        UPDATE projections SET cursor = (SELECT COALESCE(MAX(seq), 0) FROM outbox) WHERE name = 'approval-outcomes'
          AND NOT EXISTS (SELECT 1 FROM outbox WHERE resource = 'run-approval' AND seq > cursor)`)
    )
    yield* Sweep.sweep(retentions, chosen)
  })
