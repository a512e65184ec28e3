import { Effect } from "effect"
import { changeLimit, type External, type ExternalChange } from "../../../board/squad/External.ts"
import { noteExternal, postExternal, requireMessage, rootsOf } from "../../../board/squad/SquadPost.ts"
import { type ActorContext, actorOf } from "../../../kernel/Actor.ts"
import { sanitizeText } from "../../../kernel/Sanitize.ts"
import { iso, now } from "../../../kernel/Time.ts"
import * as Journal from "../../../storage/Journal.ts"
import type { Sql } from "../../../storage/Sql.ts"
import type { DeliveryStatus } from "../../communication/Delivery.ts"
import * as DeliveryRepo from "../../communication/DeliveryRepo.ts"
import * as ThreadRepo from "../../communication/ThreadRepo.ts"
import type { Mapping } from "../channels/Mapping.ts"
import { kinds, type NostrEvent } from "../nostr/Event.ts"
import * as NoteRepo from "./NoteRepo.ts"
import * as PendingRepo from "./PendingRepo.ts"
import { isOurs, linkOf, type Reading, read } from "./Reading.ts"
import { lookAround, nowhere, type Surroundings } from "./Surroundings.ts"

/** The channel that events come from, and who the bridge is there. */
export interface Place {
  readonly mapping: Mapping
  readonly community: string
  readonly ownKey: string
}

/** A unit of work at a place, and what it knows about its events. */
interface Unit extends Place {
  readonly around: Surroundings
}

/** The longest text that a message shows; the rest stays at its source. */
const longestText = 10_000

/** Who brings the messages of a mapping in. */
const bringer = ({ mapping }: Place): ActorContext =>
  actorOf({ name: mapping.actor, role: "agent", authMethod: "auth-disabled", actorType: "service" })

/** Under which name an author appears in the squad chat. */
export const authorName = (pubkey: string): string => `relay:${pubkey.slice(0, 8)}`

/** The id of a message that came from a relay. */
export const messageIdOf = (eventId: string): string => `msg_relay_${eventId}`

/**
 * Brings verified events into the squad chat, in one unit with their records, their threads and their audit links (spec
 * 2-relay, Inbound event projection). What is known already stays as it is. Replies that waited for an event follow
 * it, in the order of their place.
 */
export const project = (events: ReadonlyArray<NostrEvent>, place: Place): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const unit: Unit = { ...place, around: nowhere() }
    yield* meet(events, unit)
    for (const event of events) {
      const waiting = [event]
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (unit.around.known.has(next.id) || !(yield* projectOne(next, unit))) continue
        waiting.push(...(yield* followersOf(next, unit)))
      }
    }
  })

const meet = (events: ReadonlyArray<NostrEvent>, { around, community, mapping }: Unit) =>
  lookAround(around, events, community, mapping.channelId)

/** The replies that waited for an event, which wait no longer. */
const followersOf = ({ id }: NostrEvent, unit: Unit) =>
  Effect.gen(function* () {
    if (!unit.around.awaited.delete(id)) return []
    const followers = yield* PendingRepo.waitingFor(unit.community, id)
    for (const follower of followers) {
      yield* PendingRepo.remove(follower)
      unit.around.known.delete(follower.event.id)
    }
    const events = followers.map(({ event }) => event)
    yield* meet(events, unit)
    return events
  })

/** Whether the event is a message now, so that what waited for it may follow. */
const projectOne = (event: NostrEvent, place: Unit): Effect.Effect<boolean, never, Sql> =>
  Effect.gen(function* () {
    if (isOurs(event, place.ownKey)) {
      yield* note(event, null, "ignored", "echo", place)
      return false
    }
    const reading = read(event, place.mapping.channelId)
    switch (reading._tag) {
      case "Root":
        yield* post(event, undefined, place)
        return true
      case "Reply":
        return yield* reply(event, reading, place)
      case "Edit":
        yield* note(event, reading.targetId, "success", "edit_recorded", place)
        return false
      case "Deletion":
        yield* note(event, reading.targetId, "success", "deletion_recorded", place)
        return false
      case "Ignored":
        yield* note(event, null, "ignored", reading.reason, place)
        return false
    }
  })

const reply = (
  event: NostrEvent,
  { parentId, rootId }: Extract<Reading, { readonly _tag: "Reply" }>,
  place: Unit
) =>
  Effect.gen(function* () {
    const parent = place.around.threads.get(parentId)
    if (parent === undefined) {
      const { community, mapping } = place
      yield* hold({ event, rootId, waitsFor: parentId, mappingId: mapping.id, community }, place)
      return false
    }
    if (parent.channelId !== place.mapping.channelId) {
      yield* note(event, null, "ignored", "malformed", place)
      return false
    }
    yield* post(event, parent, place)
    return true
  })

/** Answers the root, as what it answered is gone from the relay. */
export const attachToRoot = (pending: PendingRepo.Pending, place: Place): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const root = yield* ThreadRepo.ofEvent(place.community, pending.rootId)
    if (root === undefined) return
    yield* PendingRepo.remove(pending)
    const unit: Unit = { ...place, around: nowhere() }
    yield* meet([pending.event], unit)
    if (unit.around.known.has(pending.event.id)) return
    for (const { id, rootId } of yield* rootsOf([root.squadMessageId])) unit.around.roots.set(id, rootId)
    yield* post(pending.event, root, unit)
    yield* project(yield* followersOf(pending.event, unit), place)
  })

/** Keeps a reply until what it answers is here. When too many wait, the oldest is let go, and that is told. */
const hold = (pending: PendingRepo.Pending, place: Unit) =>
  Effect.gen(function* () {
    if ((yield* PendingRepo.count(pending.mappingId)) >= PendingRepo.pendingLimit) {
      const oldest = yield* PendingRepo.first(pending.mappingId)
      if (oldest !== undefined) {
        yield* PendingRepo.remove(oldest)
        yield* tell(oldest.event, "ignored", "pending_dropped", place)
      }
    }
    yield* PendingRepo.insert(pending, yield* now)
    place.around.known.add(pending.event.id)
    place.around.awaited.add(pending.waitsFor)
    yield* Journal.record({
      kind: "relay-event.pending",
      resource: "relay-event",
      resourceId: pending.event.id,
      by: bringer(place),
      payload: { adapterId: place.mapping.adapterId, waitsFor: pending.waitsFor }
    })
  })

const post = (event: NostrEvent, parent: ThreadRepo.Thread | undefined, place: Unit) =>
  Effect.gen(function* () {
    const { around, community, mapping } = place
    const id = messageIdOf(event.id)
    const text = sanitizeText(event.content)
    const external = yield* externalOf(event, text, place)
    const draft = { id, agent: authorName(event.pubkey), message: cut(text), external }
    // Whoever sent the message that is answered may never have kept it here.
    const rootId = parent === undefined ? undefined : around.roots.get(parent.squadMessageId)
    yield* Effect.orDie(
      postExternal(
        parent === undefined || rootId === undefined
          ? draft
          : { ...draft, replyToId: parent.squadMessageId, rootId },
        bringer(place)
      )
    )
    const thread: ThreadRepo.Thread = {
      adapterId: mapping.adapterId,
      community,
      channelId: mapping.channelId,
      eventId: event.id,
      rootEventId: parent?.rootEventId ?? event.id,
      direction: "inbound",
      squadMessageId: id,
      rootSquadMessageId: parent?.rootSquadMessageId ?? id
    }
    yield* ThreadRepo.insert(thread)
    around.known.add(event.id)
    around.threads.set(event.id, thread)
    around.roots.set(id, rootId ?? id)
    yield* record(event, "success", parent === undefined ? "root_posted" : "reply_posted", id, place)
  })

/** At most so much of a text, without half a character at its end. */
const cut = (text: string): string =>
  text.length <= longestText ? text : `${text.slice(0, longestText - 1).replace(/[\uD800-\uDBFF]$/, "")}…`

const changesOf = (notes: ReadonlyArray<NoteRepo.Note>): ReadonlyArray<ExternalChange> =>
  notes.map(({ author, createdAt, eventId, kind, targetId }) => ({
    eventId,
    targetEventId: targetId ?? "",
    authorPubkey: author,
    kind,
    sourceTimestamp: iso(createdAt * 1_000)
  }))

const marksOf = (community: string, eventId: string) =>
  Effect.zipWith(
    NoteRepo.about(community, eventId, [kinds.edit]),
    NoteRepo.about(community, eventId, [kinds.deletion, kinds.moderatorDeletion]),
    (edits, deletions) => ({
      ...(edits.length === 0 ? {} : { edits: changesOf(edits).slice(-changeLimit) }),
      ...(deletions.length === 0 ? {} : { deletions: changesOf(deletions).slice(-changeLimit) })
    })
  )

const externalOf = (event: NostrEvent, text: string, { around, community, mapping }: Unit) =>
  Effect.map(
    around.noted.has(event.id) ? marksOf(community, event.id) : Effect.succeed({}),
    (marks): External => ({
      provider: "relay",
      authorPubkey: event.pubkey,
      sourceTimestamp: iso(event.created_at * 1_000),
      kind: event.kind,
      channelId: mapping.channelId,
      community,
      eventId: event.id,
      link: linkOf(community, mapping.channelId, event.id),
      ...(text.length > longestText ? { truncated: true } : {}),
      ...marks
    })
  )

/** Notes an event that is no message; an edit or a deletion shows at the message that it is about, when it is here. */
const note = (
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
  })

const mark = ({ eventId, squadMessageId }: ThreadRepo.Thread, place: Place) =>
  Effect.gen(function* () {
    const found = yield* Effect.option(requireMessage(squadMessageId))
    const marks = yield* marksOf(place.community, eventId)
    if (found._tag === "None") return
    const before = found.value.message.external
    yield* noteExternal(squadMessageId, { provider: "relay", eventId, ...before, ...marks }, bringer(place))
  })

/** Records what is no message of the chat, in the deliveries and in the audit chain: coordinates, no content. */
const tell = (
  event: NostrEvent,
  status: DeliveryStatus,
  reason: string,
  place: Place,
  squadMessageId?: string,
  targetId: string | null = null
) =>
  Effect.zipRight(
    record(event, status, reason, squadMessageId, place, targetId),
    Journal.record({
      kind: `relay-event.${status === "ignored" ? "ignored" : "noted"}`,
      resource: "relay-event",
      resourceId: event.id,
      by: bringer(place),
      payload: {
        adapterId: place.mapping.adapterId,
        eventKind: event.kind,
        reason,
        ...(targetId === null ? {} : { targetEventId: targetId })
      }
    })
  )

const record = (
  event: NostrEvent,
  status: DeliveryStatus,
  reasonCode: string,
  squadMessageId: string | undefined,
  { community, mapping }: Place,
  targetId: string | null = null
) =>
  DeliveryRepo.insert({
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
