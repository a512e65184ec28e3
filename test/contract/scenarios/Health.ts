import { Effect } from "effect"
import { type Ask, given, just, type Scenario } from "./Scenario.ts"

const key = "tracker:github"
const reason = "GitHub says so"

const anOverride = (ask: Ask) =>
  ask("POST", `/api/health/dependency-circuits/${key}/override`, {
    as: "admin",
    body: { mode: "block", reason, durationSeconds: 60 }
  })

const journal = "/api/maintenance/sqlite/journal"
const preview = {
  targetMode: "delete",
  singleHost: true,
  overrideReason: "The disk is shared soon",
  expiresAt: new Date(Date.now() + 86_400_000).toISOString()
}

const apply = (ask: Ask) =>
  Effect.map(ask("POST", `${journal}/preview`, { as: "admin", body: preview }), ({ body }) => ({
    previewId: body.previewId,
    previewToken: body.previewToken,
    confirm: body.previewId,
    acknowledgeRisks: true
  }))

/** A change that waits for the next start: there is one at the most. */
const aScheduledChange = (ask: Ask) =>
  Effect.gen(function* () {
    yield* ask("POST", `${journal}/apply`, { as: "admin", body: yield* apply(ask) })
    return (yield* ask("GET", `${journal}/status`, { as: "admin" })).body.scheduled
  })

/** Health and maintenance. */
export const health: Readonly<Record<string, Scenario>> = {
  "health.health": just(),
  "health.live": just(),
  "health.ready": just(),
  "health.deep": given(anOverride, () => ({})),
  "health.resetCircuit": given(anOverride, () => ({ path: { key }, body: { reason } })),
  "health.overrideCircuit": just({
    path: { key },
    body: { mode: "allow", reason, durationSeconds: 3_600 }
  }),
  "health.clearOverride": given(anOverride, () => ({ path: { key } })),
  "maintenance.backup": just(),
  "maintenance.previewJournal": just({ body: preview }),
  "maintenance.applyJournal": given(
    (ask) => Effect.zipRight(ask("POST", `${journal}/override/revoke`, { as: "admin" }), apply(ask)),
    (body) => ({ body })
  ),
  "maintenance.journalStatus": just(),
  "maintenance.journalOperation": given(aScheduledChange, ({ id }) => ({ path: { id } })),
  "maintenance.revokeJournalOverride": given(aScheduledChange, () => ({}))
}
