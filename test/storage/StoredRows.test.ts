import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as AgentStatuses from "../../src/board/agent-status/AgentStatuses.ts"
import * as AgentsConfig from "../../src/board/agents-config/AgentsConfig.ts"
import * as SquadRepo from "../../src/board/squad/SquadRepo.ts"
import * as WorktreeRepo from "../../src/board/worktrees/WorktreeRepo.ts"
import * as AdapterRepo from "../../src/conversations/adapters/AdapterRepo.ts"
import * as PendingRepo from "../../src/conversations/inbox/PendingRepo.ts"
import * as RuleRepo from "../../src/conversations/triggers/RuleRepo.ts"
import * as TriggerRepo from "../../src/conversations/triggers/TriggerRepo.ts"
import * as OwnerRepo from "../../src/identity/passwords/OwnerRepo.ts"
import * as TelemetryRepo from "../../src/insight/telemetry/TelemetryRepo.ts"
import * as TraceRecord from "../../src/insight/traces/TraceRecord.ts"
import * as TraceRepo from "../../src/insight/traces/TraceRepo.ts"
import * as ExecutionRepo from "../../src/integrations/hooks/ExecutionRepo.ts"
import * as Access from "../../src/integrations/trackers/Access.ts"
import * as TrackerAuditRepo from "../../src/integrations/trackers/audits/TrackerAuditRepo.ts"
import * as CreationRepo from "../../src/integrations/trackers/CreationRepo.ts"
import { type Query, run, type Sql, sql } from "../../src/storage/Sql.ts"
import { Storage } from "../../src/storage/Storage.ts"
import { storageInMemory } from "../support/TestStorage.ts"

/** What somebody wrote into a column by hand: it is JSON, and not of the form that belongs there. */
const secret = "sEcReT"
const wrong = JSON.stringify({ id: 7, note: secret })

/** What stands once on the board, with the field that is told to be wrong. */
const values: ReadonlyArray<
  readonly [name: string, read: Effect.Effect<unknown, never, Sql>, field: string]
> = [
  ["agents", AgentsConfig.current, "agents"],
  ["agent-status", AgentStatuses.current, "status"],
  ["owner", OwnerRepo.find, "passwordHash"],
  ["traces", TraceRecord.status, "enabled"],
  ["tracker-connection", Access.storedConnection.read, "provider"],
  ["tracker-schema", Access.storedSchema.read, "provider"]
]

/** A row that somebody wrote by hand, who reads it, and how it is named. */
const written: ReadonlyArray<readonly [row: Query, read: Effect.Effect<unknown, never, Sql>, place: string]> =
  [
    [
      sql`
      INSERT INTO worktrees (id, task_id, path, state, live, lease_expires_at, json)
      VALUES ('worktree_1', 't', '/tmp', 'active', 1, 0, ${wrong})`,
      WorktreeRepo.liveOf("t"),
      "worktrees worktree_1, json.schemaVersion"
    ],
    [
      sql`INSERT INTO traces (id, attempt_id, task_id, json) VALUES ('trace_1', 'a', 't', ${wrong})`,
      TraceRepo.ofTask("t", 1),
      "traces trace_1, json.id"
    ],
    [
      sql`INSERT INTO tracker_audits (id, at, action, json) VALUES ('audit_1', 0, 'connection.updated', ${wrong})`,
      TrackerAuditRepo.newest(1, 0),
      "tracker_audits audit_1, json.id"
    ],
    [
      sql`
      INSERT INTO tracker_creations (task_id, profile_id, marker, state, provider, base_url, project, sent_at, actor,
        approved_by, item)
      VALUES ('t', 'p', 'marker_1', 'created', 'local', '', 'x', 0, 'a', 'b', ${wrong})`,
      CreationRepo.find("t", "p"),
      "tracker_creations marker_1, item.id"
    ],
    [
      sql`
      INSERT INTO hook_executions (id, hook_id, event, status, attempts, duration_ms, created_at, started_at, next_at,
        facts)
      VALUES ('execution_1', 'hook_1', 'task.updated', 'queued', 0, 0, 0, 0, 0, ${wrong})`,
      Effect.zipRight(
        run(
          sql`
          INSERT INTO hooks (id, event, enabled, since, json)
          VALUES ('hook_1', 'task.updated', 1, 0, '{}')`
        ),
        ExecutionRepo.due(1)
      ),
      "hook_executions execution_1, facts.taskId"
    ],
    [
      sql`
      INSERT INTO telemetry (id, type, task_id, created_at, identity, json)
      VALUES ('event_1', 'run.started', 't', 0, 'once', ${wrong})`,
      TelemetryRepo.withIdentity("once"),
      "telemetry event_1, json"
    ],
    [
      sql`
      INSERT INTO communication_adapters (id, kind, json, created_at, updated_at)
      VALUES ('community', 'relay', ${wrong}, 0, 0)`,
      AdapterRepo.all,
      "communication_adapters community, json"
    ],
    [
      sql`
      INSERT INTO relay_pending (mapping_id, created_at, event_id, community, root_event_id, waits_for, event,
        received_at)
      VALUES ('m', 0, 'event_2', 'c', 'r', 'w', ${wrong}, 0)`,
      PendingRepo.first("m"),
      "relay_pending event_2, event.id"
    ],
    [
      sql`
      INSERT INTO external_triggers (causal_key, adapter_id, rule_id, workflow_id, context, state, attempts, created_at,
        updated_at)
      VALUES ('key_1', 'a', 'r', 'w', ${wrong}, 'recorded', 0, 0, 0)`,
      TriggerRepo.find("key_1"),
      "external_triggers key_1, context.community"
    ],
    [
      sql`
      INSERT INTO relay_trigger_rules (id, adapter_id, mapping_id, workflow_id, enabled, creator, created_at, updated_at)
      VALUES ('rule_1', 'a', 'm', 'w', 1, ${wrong}, 0, 0)`,
      RuleRepo.find("rule_1"),
      "relay_trigger_rules rule_1, creator.name"
    ],
    [
      sql`
      INSERT INTO squad_messages (id, agent, message, search_text, system, tags, mentions, root_id, pinned, decision, created_by,
        created_at)
      VALUES ('msg_1', 'a', 'text', 'text', 0, ${wrong}, '[]', 'msg_1', 0, 0, 'a', 0)`,
      SquadRepo.select((sql) => sql`ORDER BY m.seq`),
      "squad_messages msg_1, tags"
    ]
  ]

/** Reads what somebody wrote, and gives what is said of it. */
const saidOf = (row: Query, read: Effect.Effect<unknown, never, Sql>) =>
  Effect.gen(function* () {
    const { write } = yield* Storage
    yield* write(run(row))
    const exit = yield* Effect.exit(write(Effect.asVoid(read)))
    return Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "nothing"
  })

describe("a row that somebody changed by hand", () => {
  it.scopedLive.each(values)("is not taken for the value %s", ([name, read, field]) =>
    Effect.gen(function* () {
      const said = yield* saidOf(
        sql`INSERT INTO singletons (name, json, updated_at) VALUES (${name}, ${wrong}, 0)`,
        read
      )
      assert.include(said, `(singletons ${name}, json.${field})`)
      assert.notInclude(said, secret)
    }).pipe(Effect.provide(storageInMemory))
  )

  it.scopedLive.each(written.map((one) => [one[2], one] as const))(
    "is not taken for what it should be: %s",
    ([, [row, read, place]]) =>
      Effect.gen(function* () {
        const said = yield* saidOf(row, read)
        assert.include(said, `(${place})`)
        assert.notInclude(said, secret)
      }).pipe(Effect.provide(storageInMemory))
  )
})
