import { Effect } from "effect"
import { rootsOf } from "../../board/squad/Units.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Thread } from "../deliveries/Thread.ts"
import { threadsOfEvents } from "../deliveries/Units.ts"
import type { NostrEvent } from "../wire/NostrEvent.ts"
import * as KnownRepo from "./KnownRepo.ts"
import { meaningOf, messageIdOf } from "./Meaning.ts"
import * as NoteRepo from "./NoteRepo.ts"
import * as PendingRepo from "./PendingRepo.ts"

/**
 * What a unit knows about its events and what they refer to. It is read once for all events instead of once for each,
 * and the unit keeps it up to date; nobody else writes while it runs.
 */
export interface Surroundings {
  /** Events that are known. */
  readonly known: Set<string>
  /** Events that are messages here. */
  readonly threads: Map<string, Thread>
  /** The root of the thread of each of these messages, by message. */
  readonly roots: Map<string, string>
  /** Events that were edited or deleted. */
  readonly noted: Set<string>
  /** Events that replies wait for. */
  readonly awaited: Set<string>
}

export const nowhere = (): Surroundings => ({
  known: new Set(),
  threads: new Map(),
  roots: new Map(),
  noted: new Set(),
  awaited: new Set()
})

/** The event that an event answers or changes. */
const referencesOf = (event: NostrEvent, channelId: string): ReadonlyArray<string> => {
  const meaning = meaningOf(event, channelId)
  switch (meaning._tag) {
    case "Reply":
      return [meaning.parentId]
    case "Edit":
    case "Deletion":
      return meaning.targetId === null ? [] : [meaning.targetId]
    default:
      return []
  }
}

/** Looks up what has to be known about some more events. */
export const lookAround = (
  { awaited, known, noted, roots, threads }: Surroundings,
  events: ReadonlyArray<NostrEvent>,
  community: string,
  channelId: string
): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const ids = events.map(({ id }) => id)
    for (const id of (yield* KnownRepo.known(community, ids)).keys()) known.add(id)
    for (const id of yield* NoteRepo.noted(community, ids)) noted.add(id)
    for (const id of yield* PendingRepo.awaited(community, ids)) awaited.add(id)
    const references = events.flatMap((event) => referencesOf(event, channelId))
    const found = references.length === 0 ? [] : yield* threadsOfEvents(community, references)
    for (const thread of found) threads.set(thread.eventId, thread)
    // An event that is unknown in this community may have come from another one, and be a message already.
    const messages = [...ids.map(messageIdOf), ...found.map(({ squadMessageId }) => squadMessageId)]
    for (const { id, rootId } of yield* rootsOf(messages)) roots.set(id, rootId)
  })
