import { Effect } from "effect"
import { changeLimit, type ExternalChange } from "../../board/squad/External.ts"
import { noteExternal, requireMessage } from "../../board/squad/Units.ts"
import { iso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { DeliveryStatus } from "../deliveries/Delivery.ts"
import type { Thread } from "../deliveries/Thread.ts"
import { recordDelivery } from "../deliveries/Units.ts"
import { kinds, type NostrEvent } from "../wire/NostrEvent.ts"
import { RelayEventIgnored, RelayEventNoted } from "./Events.ts"
import * as NoteRepo from "./NoteRepo.ts"
import { authorName, bringer, type Place, type Unit } from "./Place.ts"
import { setOff } from "./SetOffTriggers.ts"

/* What is noted about events that are no messages, and what is recorded of every event. */

const changesOf = (notes: ReadonlyArray<NoteRepo.Note>): ReadonlyArray<ExternalChange> =>
  notes.map(({ author, createdAt, eventId, kind, targetId }) => ({
    eventId,
    targetEventId: targetId ?? "",
    authorPubkey: author,
    kind,
    sourceTimestamp: iso(createdAt * 1_000)
  }))

/** The edits and deletions of an event. */
export const marksOf = (community: string, eventId: string) =>
  Effect.zipWith(
    NoteRepo.about(community, eventId, [kinds.edit]),
    NoteRepo.about(community, eventId, [kinds.deletion, kinds.moderatorDeletion]),
    (edits, deletions) => ({
      ...(edits.length === 0 ? {} : { edits: changesOf(edits).slice(-changeLimit) }),
      ...(deletions.length === 0 ? {} : { deletions: changesOf(deletions).slice(-changeLimit) })
    })
  )

/** Notes an event that is no message; an edit or a deletion shows at the message that it is about, when it is here. */
export const note = (
  event: NostrEvent,
  targetId: string | null,
  status: DeliveryStatus,
  reason: string,
  place: Unit
) =>
  Effect.gen(function* () {
    const { around, community } = place
    const { created_at: createdAt, id: eventId, kind, pubkey: author } = event
    yield* NoteRepo.insert(community, { eventId, kind, author, targetId, createdAt })
    around.known.add(eventId)
    if (targetId !== null) around.noted.add(targetId)
    const target = targetId === null ? undefined : around.threads.get(targetId)
    if (target !== undefined) yield* mark(target, place)
    yield* tell(event, status, reason, place, target?.squadMessageId, targetId)
    yield* setOff(event, place, { isEcho: reason === "echo" })
  })

const mark = ({ eventId, squadMessageId }: Thread, place: Place) =>
  Effect.gen(function* () {
    const found = yield* Effect.option(requireMessage(squadMessageId))
    const marks = yield* marksOf(place.community, eventId)
    if (found._tag === "None") return
    const before = found.value.message.external
    yield* noteExternal(squadMessageId, { provider: "relay", eventId, ...before, ...marks }, bringer(place))
  })

/**
 * Records an event that is no message of the chat, in the deliveries and in the audit chain: coordinates, no content.
 */
export const tell = (
  event: NostrEvent,
  status: DeliveryStatus,
  reason: string,
  place: Place,
  squadMessageId?: string,
  targetId: string | null = null
) => {
  const told = {
    resourceId: event.id,
    adapterId: place.mapping.adapterId,
    eventKind: event.kind,
    reason,
    ...(targetId === null ? {} : { targetEventId: targetId })
  }
  return Effect.zipRight(
    record(event, status, reason, squadMessageId, place, targetId),
    Journal.record(
      status === "ignored" ? new RelayEventIgnored(told) : new RelayEventNoted(told),
      bringer(place)
    )
  )
}

/** Records what became of an event. */
export const record = (
  event: NostrEvent,
  status: DeliveryStatus,
  reasonCode: string,
  squadMessageId: string | undefined,
  { community, mapping }: Place,
  targetId: string | null = null
) =>
  recordDelivery({
    adapterId: mapping.adapterId,
    direction: "inbound",
    status,
    reasonCode,
    eventId: event.id,
    kind: event.kind,
    pubkey: event.pubkey,
    eventCreatedAt: event.created_at,
    channelId: mapping.channelId,
    community,
    actor: authorName(event.pubkey),
    ...(squadMessageId === undefined ? {} : { squadMessageId }),
    ...(targetId === null ? {} : { detail: `target ${targetId}` })
  })
