import type { Event, Filter } from "@nostr-relay/common"

/** What a client asked to hear. */
export interface Subscription {
  readonly id: string
  readonly filters: ReadonlyArray<Filter>
}

const tagsFit = (event: Event, filter: Filter): boolean =>
  Object.entries(filter).every(([name, wanted]) => {
    // The channel is matched apart, for an event may belong to one without naming it.
    if (!name.startsWith("#") || name === "#h" || !Array.isArray(wanted)) return true
    return event.tags.some(([tag, value]) => `#${tag}` === name && wanted.some((one) => one === value))
  })

const fits = (event: Event, filter: Filter): boolean => {
  const { authors, ids, kinds, since, until } = filter
  return (
    ids?.includes(event.id) !== false &&
    authors?.includes(event.pubkey) !== false &&
    kinds?.includes(event.kind) !== false &&
    (since === undefined || event.created_at >= since) &&
    (until === undefined || event.created_at <= until) &&
    tagsFit(event, filter)
  )
}

/** The one channel that all filters name, each of them alone. */
const channelNamed = ({ filters }: Subscription): string | undefined => {
  const named = new Set(filters.map((filter) => (filter["#h"]?.length === 1 ? filter["#h"][0] : undefined)))
  return named.size === 1 ? [...named][0] : undefined
}

/**
 * Whether an event is passed on to a subscription as it comes in. What was said in a channel goes to those alone whose
 * filters all name that one channel; a filter for two channels, or for none, finds it among stored events only.
 */
export const hears = (subscription: Subscription, event: Event, channel: string | undefined): boolean => {
  const { filters } = subscription
  const placed =
    channel === undefined
      ? filters.every((filter) => filter["#h"] === undefined)
      : channelNamed(subscription) === channel
  return placed && filters.some((filter) => fits(event, filter))
}

/** The channels that somebody listens to. */
export const channelsHeard = (subscriptions: ReadonlyArray<Subscription>): ReadonlyArray<string> => [
  ...new Set(subscriptions.flatMap((one) => channelNamed(one) ?? []))
]
