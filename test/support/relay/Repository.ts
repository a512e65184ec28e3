import type { Event, EventRepositoryUpsertResult, Filter } from "@nostr-relay/common"
import { EventRepositorySqlite } from "@nostr-relay/event-repository-sqlite"
import { type Condition, conditionsOf } from "./FilterSql.ts"
import { tagsNamed, tagValue } from "./Tags.ts"

interface Row {
  readonly id: string
  readonly pubkey: string
  readonly created_at: number
  readonly kind: number
  readonly tags: string
  readonly content: string
  readonly sig: string
}

const toEvent = ({ content, created_at, id, kind, pubkey, sig, tags }: Row): Event => ({
  id,
  pubkey,
  created_at,
  kind,
  tags: JSON.parse(tags),
  content,
  sig
})

/**
 * The engine's SQLite repository. The engine writes through it and replaces heads in it; three things are ours, for
 * relays of the family do them in another way than the engine:
 * - stored events come by `created_at` descending and `id` ascending, at most a page of them, and may be asked for
 *   after a key (the engine leaves equal seconds in any order and knows no key);
 * - what is deleted stays and is hidden, so that sending it again is a duplicate, and the deletion itself is kept (the
 *   engine drops both);
 * - an event without `h` belongs to the channel of what it's about.
 */
export class Repository extends EventRepositorySqlite {
  private readonly pageCap: () => number

  constructor(file: string, pageCap: () => number) {
    super(file)
    this.pageCap = pageCap
  }

  override async init(): Promise<void> {
    await super.init()
    this.getDatabase().exec(`
      CREATE TABLE IF NOT EXISTS hidden (id TEXT PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS placed (id TEXT PRIMARY KEY, channel TEXT NOT NULL);
    `)
  }

  override async upsert(event: Event): Promise<EventRepositoryUpsertResult> {
    const result = await super.upsert(event)
    if (result.isDuplicate) return result
    const channel = tagValue(event, "h") === undefined ? this.channelOfTarget(event) : undefined
    if (channel !== undefined) {
      this.write("INSERT OR IGNORE INTO placed VALUES (?, ?)", event.id, channel)
    }
    if (event.kind === 9005) this.hideTargets(event)
    return result
  }

  override async deleteByDeletionRequest(event: Event): Promise<void> {
    await this.upsert(event)
    this.hideTargets(event)
    for (const [, coordinates = ""] of tagsNamed(event, "a")) {
      const [kind = "", author = "", ...d] = coordinates.split(":")
      if (author !== event.pubkey) continue
      this.write(
        `INSERT OR IGNORE INTO hidden SELECT id FROM events
         WHERE kind = ? AND pubkey = ? AND d_tag_value = ? AND created_at <= ?`,
        Number(kind),
        author,
        d.join(":"),
        event.created_at
      )
    }
  }

  override async find(filter: Filter): Promise<Array<Event>> {
    return this.select(conditionsOf(filter), Math.min(filter.limit ?? this.pageCap(), this.pageCap()))
  }

  /** A stored event, be it hidden or not. */
  event(id: string): Event | undefined {
    return this.getDatabase()
      .prepare<[string], Row>("SELECT * FROM events WHERE id = ?")
      .all(id)
      .map(toEvent)[0]
  }

  isHidden(id: string): boolean {
    return this.getDatabase().prepare("SELECT 1 FROM hidden WHERE id = ?").get(id) !== undefined
  }

  /** The channel that an event belongs to: its `h`, or where the thing is that it's about. */
  channelOf(event: Event): string | undefined {
    const named = tagValue(event, "h")
    if (named !== undefined) return named
    return this.getDatabase()
      .prepare<[string], { readonly channel: string }>("SELECT channel FROM placed WHERE id = ?")
      .get(event.id)?.channel
  }

  /** All that can be seen in a channel, oldest first. */
  eventsIn(channel: string): ReadonlyArray<Event> {
    return this.select(conditionsOf({ "#h": [channel] }), -1).reverse()
  }

  private select(conditions: ReadonlyArray<Condition>, limit: number): Array<Event> {
    const where = conditions.map(({ sql }) => `(${sql})`).join(" AND ")
    return this.getDatabase()
      .prepare<Array<string | number>, Row>(
        `SELECT e.* FROM events e WHERE ${where} ORDER BY e.created_at DESC, e.id ASC LIMIT ?`
      )
      .all(...conditions.flatMap(({ values }) => values), limit)
      .map(toEvent)
  }

  private channelOfTarget(event: Event): string | undefined {
    if (event.kind !== 5 && event.kind !== 7) return undefined
    const target = this.event(tagValue(event, "e") ?? "")
    return target === undefined ? undefined : this.channelOf(target)
  }

  private hideTargets(event: Event): void {
    for (const [, id = ""] of tagsNamed(event, "e")) this.write("INSERT OR IGNORE INTO hidden VALUES (?)", id)
  }

  private write(sql: string, ...values: ReadonlyArray<string | number>): void {
    this.getDatabase()
      .prepare<Array<string | number>>(sql)
      .run(...values)
  }
}
