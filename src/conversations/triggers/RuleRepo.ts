import type { Fragment } from "@effect/sql/Statement"
import { Effect } from "effect"
import { Founder } from "../../identity/Standing.ts"
import { iso } from "../../kernel/Time.ts"
import { columnReader } from "../../storage/JsonColumn.ts"
import { type Compose, firstRow, rows, run, type Sql, sql } from "../../storage/Sql.ts"
import type { TriggerRule } from "./Trigger.ts"

/** A rule as storage holds it: with who made it. */
export interface StoredRule {
  readonly rule: TriggerRule
  readonly founder: Founder
}

interface RuleRow {
  readonly id: string
  readonly adapterId: string
  readonly mappingId: string
  readonly workflowId: string
  readonly contentIncludes: string | null
  readonly authorPubkey: string | null
  readonly enabled: number
  readonly creator: string
  readonly createdAt: number
  readonly updatedAt: number
}

const founderOf = columnReader(Founder, "relay_trigger_rules", "creator")

const storedOf = (row: RuleRow): StoredRule => {
  const founder = founderOf(row.creator, row.id)
  return {
    founder,
    rule: {
      schemaVersion: "relay-workflow-trigger/v1",
      id: row.id,
      adapterId: row.adapterId,
      mappingId: row.mappingId,
      workflowId: row.workflowId,
      event: "message.posted",
      ...(row.contentIncludes === null ? {} : { contentIncludes: row.contentIncludes }),
      ...(row.authorPubkey === null ? {} : { authorPubkey: row.authorPubkey }),
      enabled: row.enabled === 1,
      createdBy: founder.name,
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt)
    }
  }
}

const select = (tail: (sql: Compose) => Fragment): Effect.Effect<ReadonlyArray<StoredRule>, never, Sql> =>
  Effect.map(
    rows<RuleRow>(
      (sql) => sql`
        SELECT id, adapter_id AS adapterId, mapping_id AS mappingId, workflow_id AS workflowId,
          content_includes AS contentIncludes, author_pubkey AS authorPubkey, enabled, creator,
          created_at AS createdAt, updated_at AS updatedAt
        FROM relay_trigger_rules ${tail(sql)}`
    ),
    (found) => found.map(storedOf)
  )

const rulesOf = (found: ReadonlyArray<StoredRule>): ReadonlyArray<TriggerRule> =>
  found.map(({ rule }) => rule)

/** All rules of an adapter, oldest first. */
export const ofAdapter = (adapterId: string): Effect.Effect<ReadonlyArray<TriggerRule>, never, Sql> =>
  Effect.map(
    select((sql) => sql`WHERE adapter_id = ${adapterId} ORDER BY seq`),
    rulesOf
  )

/** All rules of a mapping, oldest first. */
export const ofMapping = (mappingId: string): Effect.Effect<ReadonlyArray<TriggerRule>, never, Sql> =>
  Effect.map(
    select((sql) => sql`WHERE mapping_id = ${mappingId} ORDER BY seq`),
    rulesOf
  )

/** The rule with an id. */
export const find = (id: string): Effect.Effect<StoredRule | undefined, never, Sql> =>
  Effect.map(
    select((sql) => sql`WHERE id = ${id}`),
    ([found]) => found
  )

/** How many rules an adapter has. */
export const count = (adapterId: string): Effect.Effect<number, never, Sql> =>
  Effect.map(
    firstRow<{ n: number }>(
      sql`SELECT COUNT(*) AS n FROM relay_trigger_rules WHERE adapter_id = ${adapterId}`
    ),
    (found) => found?.n ?? 0
  )

/** Adds a rule. */
export const insert = ({ founder, rule }: StoredRule): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      INSERT INTO relay_trigger_rules (id, adapter_id, mapping_id, workflow_id, content_includes, author_pubkey,
        enabled, creator, created_at, updated_at)
      VALUES (${rule.id}, ${rule.adapterId}, ${rule.mappingId}, ${rule.workflowId},
        ${rule.contentIncludes ?? null}, ${rule.authorPubkey ?? null}, ${rule.enabled ? 1 : 0},
        ${JSON.stringify(founder)}, ${Date.parse(rule.createdAt)}, ${Date.parse(rule.updatedAt)})`
  )

/** Switches a rule off. */
export const disable = (id: string, at: number): Effect.Effect<void, never, Sql> =>
  run(sql`UPDATE relay_trigger_rules SET enabled = 0, updated_at = ${at} WHERE id = ${id}`)

/** Forgets the rule of an adapter that has been switched off the longest. Its audits, and what it has started, stay. */
export const forgetDisabled = (adapterId: string): Effect.Effect<void, never, Sql> =>
  run(
    sql`
      DELETE FROM relay_trigger_rules WHERE seq = (
        SELECT seq FROM relay_trigger_rules WHERE adapter_id = ${adapterId} AND enabled = 0
        ORDER BY updated_at, seq LIMIT 1)`
  )

/** Forgets all rules of a mapping. Their audits, and what they have started, stay. */
export const removeOf = (mappingId: string): Effect.Effect<void, never, Sql> =>
  run(sql`DELETE FROM relay_trigger_rules WHERE mapping_id = ${mappingId}`)
