import { Effect } from "effect"
import type { External } from "../../board/squad/External.ts"
import { postExternal, rootsOf } from "../../board/squad/Units.ts"
import { sanitizeText } from "../../kernel/Sanitize.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { Thread } from "../deliveries/Thread.ts"
import { threadOfEvent, tieThread } from "../deliveries/Units.ts"
import { findMapping } from "../mappings/Units.ts"
import type { NostrEvent } from "../wire/NostrEvent.ts"
import { isOurs } from "../wire/OwnEvent.ts"
import { RelayEventHeld } from "./Events.ts"
import { linkOf, type Meaning, meaningOf, messageIdOf } from "./Meaning.ts"
import { cut, longestText } from "./MessageLength.ts"
import { marksOf, note, record, tell } from "./NoteEvent.ts"
import * as PendingRepo from "./PendingRepo.ts"
import { authorName, bringer, type Place, type Unit } from "./Place.ts"
import { setOff } from "./SetOffTriggers.ts"
import { lookAround, nowhere } from "./Surroundings.ts"

/**
 * Brings verified events into the squad chat, in one unit with their records, their threads and their audit links (spec
 * 2-relay, Inbound event projection). Known events stay as they are. Replies that waited for an event follow it, in
 * order.
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
    const meaning = meaningOf(event, place.mapping.channelId)
    switch (meaning._tag) {
      case "Root":
        yield* post(event, undefined, place)
        return true
      case "Reply":
        return yield* reply(event, meaning, place)
      case "Edit":
        yield* note(event, meaning.targetId, "success", "edit_recorded", place)
        return false
      case "Deletion":
        yield* note(event, meaning.targetId, "success", "deletion_recorded", place)
        return false
      case "Ignored":
        yield* note(event, null, "ignored", meaning.reason, place)
        return false
    }
  })

const reply = (
  event: NostrEvent,
  { parentId, rootId }: Extract<Meaning, { readonly _tag: "Reply" }>,
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

/** Attaches a reply to its root, as what it answered is gone from the relay. */
export const attachToRoot = (pending: PendingRepo.Pending, place: Place): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const root = yield* threadOfEvent(place.community, pending.rootId)
    if (root === undefined) return
    yield* PendingRepo.remove(pending)
    const unit: Unit = { ...place, around: nowhere() }
    yield* meet([pending.event], unit)
    if (unit.around.known.has(pending.event.id)) return
    if (root.channelId !== place.mapping.channelId)
      return yield* note(pending.event, null, "ignored", "malformed", unit)
    for (const { id, rootId } of yield* rootsOf([root.squadMessageId])) unit.around.roots.set(id, rootId)
    yield* post(pending.event, root, unit)
    yield* project(yield* followersOf(pending.event, unit), place)
  })

/** Keeps a reply until what it answers is here. When too many wait, the oldest is dropped, and a record says so. */
const hold = (pending: PendingRepo.Pending, place: Unit) =>
  Effect.gen(function* () {
    // The mapping was deleted meanwhile: a reply kept for it would count as known and never be brought in again.
    if ((yield* findMapping(pending.mappingId)) === undefined) return
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
    yield* Journal.record(
      new RelayEventHeld({
        resourceId: pending.event.id,
        adapterId: place.mapping.adapterId,
        waitsFor: pending.waitsFor
      }),
      bringer(place)
    )
  })

const post = (event: NostrEvent, parent: Thread | undefined, place: Unit) =>
  Effect.gen(function* () {
    const { around, community, mapping } = place
    const id = messageIdOf(event.id)
    const text = sanitizeText(event.content)
    const external = yield* externalOf(event, text, place)
    const draft = { id, agent: authorName(event.pubkey), message: cut(text), external }
    // The message that is answered was sent from here, and may never have been kept here.
    const rootId = parent === undefined ? undefined : around.roots.get(parent.squadMessageId)
    // The same event may come from another community, as when a relay moves: it is the same message.
    const isHere = around.roots.has(id)
    if (!isHere)
      yield* Effect.orDie(
        postExternal(
          parent === undefined || rootId === undefined
            ? draft
            : { ...draft, replyToId: parent.squadMessageId, rootId },
          bringer(place)
        )
      )
    const thread: Thread = {
      adapterId: mapping.adapterId,
      community,
      channelId: mapping.channelId,
      eventId: event.id,
      rootEventId: parent?.rootEventId ?? event.id,
      direction: "inbound",
      squadMessageId: id,
      rootSquadMessageId: parent?.rootSquadMessageId ?? id
    }
    yield* tieThread(thread)
    around.known.add(event.id)
    around.threads.set(event.id, thread)
    if (!isHere) around.roots.set(id, rootId ?? id)
    if (isHere) yield* record(event, "replayed", "known_event", id, place)
    else yield* record(event, "success", parent === undefined ? "root_posted" : "reply_posted", id, place)
    yield* setOff(event, place, { isRoot: parent === undefined })
  })

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
