import type { Filter } from "@nostr-relay/common"

/** A part of a WHERE with its values. */
export interface Condition {
  readonly sql: string
  readonly values: ReadonlyArray<string | number>
}

/** A filter with the key after which a page starts, which relays of the family know besides NIP-01. */
export type KeysetFilter = Filter & { readonly before_id?: string }

const keyOf = (filter: Filter): string | undefined =>
  "before_id" in filter && typeof filter.before_id === "string" ? filter.before_id : undefined

const among = (column: string, values: ReadonlyArray<string | number> | undefined): Array<Condition> =>
  values === undefined
    ? []
    : [{ sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] }]

const tagConditions = (filter: Filter): Array<Condition> =>
  Object.entries(filter).flatMap(([name, values]) => {
    if (!name.startsWith("#") || !Array.isArray(values)) return []
    const tags = JSON.stringify(values.map((value) => `${name.slice(1)}:${value}`))
    const tagged = "e.id IN (SELECT event_id FROM generic_tags WHERE tag IN (SELECT value FROM json_each(?)))"
    return name === "#h"
      ? [
          {
            sql: `${tagged} OR e.id IN (SELECT id FROM placed WHERE channel IN (SELECT value FROM json_each(?)))`,
            values: [tags, JSON.stringify(values)]
          }
        ]
      : [{ sql: tagged, values: [tags] }]
  })

const timeConditions = ({ since, until }: Filter, key: string | undefined): Array<Condition> => {
  const from = since === undefined ? [] : [{ sql: "e.created_at >= ?", values: [since] }]
  if (until === undefined) return from
  const to =
    key === undefined
      ? { sql: "e.created_at <= ?", values: [until] }
      : { sql: "e.created_at < ? OR (e.created_at = ? AND e.id > ?)", values: [until, until, key] }
  return [...from, to]
}

/** A filter in SQL over the engine's tables, without what is hidden. */
export const conditionsOf = (filter: Filter): ReadonlyArray<Condition> => [
  { sql: "e.id NOT IN (SELECT id FROM hidden)", values: [] },
  ...among("e.id", filter.ids),
  ...among("e.pubkey", filter.authors),
  ...among("e.kind", filter.kinds),
  ...timeConditions(filter, keyOf(filter)),
  ...tagConditions(filter)
]
