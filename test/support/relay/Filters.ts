import { setTimeout as sleep } from "node:timers/promises"
import type { Event, Filter } from "@nostr-relay/common"
import { type Context, validator } from "./Context.ts"
import type { KeysetFilter } from "./FilterSql.ts"
import { type Settings, seesChannel } from "./Settings.ts"
import { tagValue } from "./Tags.ts"

/** A filter that the relay doesn't serve, with the words and, for HTTP, the status of its answer. */
export class FilterRefused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const noticeKinds = [44100, 44101]

/** The rules for all filters, whichever way they come: ten at most, with kinds, and none for another one's notices. */
export const checkFilters = (filters: ReadonlyArray<Filter>, publicKey: string): void => {
  if (filters.length > 10) throw new FilterRefused(400, "invalid: too many filters (max 10)")
  for (const filter of filters) {
    const open = filter.kinds === undefined && filter.ids === undefined
    const notices = filter.kinds?.some((kind) => noticeKinds.includes(kind)) === true
    if (open || (notices && !filter["#p"]?.every((key) => key === publicKey))) {
      throw new FilterRefused(403, "restricted: p-gated events require #p matching your pubkey")
    }
  }
}

const isKey = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value)

/** The key of a filter; the validator drops it, for NIP-01 has no such field. */
const withKey = (filter: Filter, raw: unknown, { beforeId }: Settings): KeysetFilter => {
  if (!beforeId || typeof raw !== "object" || raw === null || !("before_id" in raw)) return filter
  if (filter.until === undefined) throw new FilterRefused(400, "invalid: before_id requires until")
  if (!isKey(raw.before_id)) throw new FilterRefused(400, "invalid: before_id must be 64 hex characters")
  return { ...filter, before_id: raw.before_id }
}

/** The filters in the body of a query. */
export const filtersOf = async (body: string, settings: Settings): Promise<ReadonlyArray<KeysetFilter>> => {
  try {
    const raw: unknown = JSON.parse(body)
    if (!Array.isArray(raw)) throw new FilterRefused(400, "invalid: filters must be an array")
    const filters = await validator.validateFilters(raw)
    return filters.map((filter, index) => withKey(filter, raw[index], settings))
  } catch (cause) {
    if (cause instanceof FilterRefused) throw cause
    throw new FilterRefused(400, `invalid: ${cause instanceof Error ? cause.message : "bad filters"}`)
  }
}

/** The channel that an event shows something of: where it was said, or what it describes. */
const subjectOf = (event: Event, { engine, self }: Context): string | undefined =>
  event.pubkey === self && event.kind >= 39000 && event.kind <= 39002
    ? tagValue(event, "d")
    : engine.repository.channelOf(event)

/** Whether a key may see an event. What it may not see is left out without a word. */
export const maySee = (event: Event, publicKey: string, context: Context): boolean => {
  const channel = subjectOf(event, context)
  if (channel !== undefined && !seesChannel(context.settings, publicKey, channel)) return false
  if (event.kind !== 30175 || !context.settings.personaGate || event.pubkey === publicKey) return true
  return tagValue(event, "shared") === "true"
}

/** What a key finds. A channel that it may not see is an empty answer, not an error. */
export const search = async (
  filters: ReadonlyArray<Filter>,
  publicKey: string,
  context: Context
): Promise<ReadonlyArray<Event>> => {
  await context.channels.prepare(filters)
  const found = await context.engine.find(filters)
  if (context.settings.lookupMs > 0) await sleep(context.settings.lookupMs)
  return found.filter((event) => maySee(event, publicKey, context))
}
