import { Effect, Option } from "effect"
import { changeLimit, type External, type ExternalChange } from "../../../board/squad/External.ts"
import { noteExternal, postExternal, requireMessage } from "../../../board/squad/SquadPost.ts"
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
import { cut, longestText } from "./Cut.ts"
import * as KnownRepo from "./KnownRepo.ts"
import * as NoteRepo from "./NoteRepo.ts"
import * as PendingRepo from "./PendingRepo.ts"
import { isOurs, linkOf, type Reading, read } from "./Reading.ts"
import { setOff } from "./SettingOff.ts"

/** The channel that events come from, and who the bridge is there. */
export interface Place {
  readonly mapping: Mapping
  readonly community: string
  readonly ownKey: string
}

/** Who brings the messages of a mapping in. */
const bringer = ({ mapping }: Place): ActorContext =>
  actorOf({ name: mapping.actor, role: "agent", authMethod: "auth-disabled", actorType: "service" })

/** Under which name an author appears in the squad chat. */
export const authorName = (pubkey: string): string => `relay:${pubkey.slice(0, 8)}`

/** The id of a message that came from a relay. */
export const messageIdOf = (eventId: string): string => `msg_relay_${eventId}`

/**
 * Brings a verified event into the squad chat, in one unit with its record, its thread and its audit link (spec
 * 2-relay, Inbound event projection). What is known already stays as it is. Replies that waited for the event follow
 * it, in the order of their place.
 */
export const project = (event: NostrEvent, place: Place): Effect.Effect<void, never, Sql> =>
  Effect.gen(function* () {
    const waiting = [event]
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (yield* KnownRepo.isKnown(place.community, next.id)) continue
      if (!(yield* projectOne(next, place))) continue
      const followers = yield* PendingRepo.waitingFor(place.community, next.id)
      for (const follower of followers) yield* PendingRepo.remove(follower)
      waiting.push(...followers.map((follower) => follower.event))
    }
  })

/** Whether the event is a message now, so that what waited for it may follow. */
const projectOne = (event: NostrEvent, place: Place): Effect.Effect<boolean, never, Sql> =>
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
  place: Place
) =>
  Effect.gen(function* () {
    const parent = yield* ThreadRepo.ofEvent(place.community, parentId)
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
    if (yield* KnownRepo.isKnown(place.community, pending.event.id)) return
    if (root.channelId !== place.mapping.channelId)
      return yield* note(pending.event, null, "ignored", "malformed", place)
    yield* post(pending.event, root, place)
    const followers = yield* PendingRepo.waitingFor(place.community, pending.event.id)
    for (const follower of followers) {
      yield* PendingRepo.remove(follower)
      yield* project(follower.event, place)
    }
  })

/** Keeps a reply until what it answers is here. When too many wait, the oldest is let go, and that is told. */
const hold = (pending: PendingRepo.Pending, place: Place) =>
  Effect.gen(function* () {
    if ((yield* PendingRepo.count(pending.mappingId)) >= PendingRepo.pendingLimit) {
      const oldest = yield* PendingRepo.first(pending.mappingId)
      if (oldest !== undefined) {
        yield* PendingRepo.remove(oldest)
        yield* tell(oldest.event, "ignored", "pending_dropped", place)
      }
    }
    yield* PendingRepo.insert(pending, yield* now)
    yield* Journal.record({
      kind: "relay-event.pending",
      resource: "relay-event",
      resourceId: pending.event.id,
      by: bringer(place),
      payload: { adapterId: place.mapping.adapterId, waitsFor: pending.waitsFor }
    })
  })

const post = (event: NostrEvent, parent: ThreadRepo.Thread | undefined, place: Place) =>
  Effect.gen(function* () {
    const { community, mapping } = place
    const id = messageIdOf(event.id)
    const text = sanitizeText(event.content)
    const external = yield* externalOf(event, text, place)
    const draft = { id, agent: authorName(event.pubkey), message: cut(text), external }
    // The same event may come from another community, as when a relay moves: it is the same message.
    const isHere = Option.isSome(yield* Effect.option(requireMessage(id)))
    if (!isHere)
      yield* postExternal(
        parent === undefined ? draft : { ...draft, replyToId: parent.squadMessageId },
        bringer(place)
      ).pipe(
        // Whoever sent the message that is answered may never have kept it here.
        Effect.catchTag("SquadMessageNotFound", () => postExternal(draft, bringer(place))),
        Effect.orDie
      )
    yield* ThreadRepo.insert({
      adapterId: mapping.adapterId,
      community,
      channelId: mapping.channelId,
      eventId: event.id,
      rootEventId: parent?.rootEventId ?? event.id,
      direction: "inbound",
      squadMessageId: id,
      rootSquadMessageId: parent?.rootSquadMessageId ?? id
    })
    if (isHere) yield* record(event, "replayed", "known_event", id, place)
    else yield* record(event, "success", parent === undefined ? "root_posted" : "reply_posted", id, place)
    yield* setOff(event, place, { isRoot: parent === undefined })
  })

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

const externalOf = (event: NostrEvent, text: string, { community, mapping }: Place) =>
  Effect.map(
    marksOf(community, event.id),
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
  place: Place
) =>
  Effect.gen(function* () {
    const { community } = place
    const { created_at: createdAt, id: eventId, kind, pubkey: author } = event
    yield* NoteRepo.insert(community, { eventId, kind, author, targetId, createdAt })
    const target = targetId === null ? undefined : yield* ThreadRepo.ofEvent(community, targetId)
    if (target !== undefined) yield* mark(target, place)
    yield* tell(event, status, reason, place, target?.squadMessageId, targetId)
    yield* setOff(event, place, { isEcho: reason === "echo" })
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
