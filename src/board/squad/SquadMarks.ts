import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { redactText } from "../../kernel/Redaction.ts"
import { now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { ReactionsFull, type SquadMessageNotFound } from "./Errors.ts"
import { SquadMessagePinned, SquadMessageReacted, SquadReadAdvanced } from "./Events.ts"
import * as ReadCursorRepo from "./ReadCursorRepo.ts"
import type { Pin, React, ReadMark, ReadPosition, SquadMessage } from "./SquadMessage.ts"
import { requireMessage } from "./SquadPost.ts"
import * as SquadRepo from "./SquadRepo.ts"

/*
 * The marks that are put on a message after it was said. One that is there already is not an event.
 */

/** The most reactions that a message takes. */
const reactionLimit = 500

/** Pins a message or marks it a decision, or takes the mark away. */
export const pin = (
  id: string,
  mark: Pin,
  by: ActorContext
): Effect.Effect<SquadMessage, SquadMessageNotFound, Sql> =>
  Effect.gen(function* () {
    const { message: before } = yield* requireMessage(id)
    const message: SquadMessage = { ...before, ...mark }
    if (message.pinned === before.pinned && message.decision === before.decision) return before
    yield* SquadRepo.setMarks(message)
    const { decision, pinned } = message
    yield* Journal.record(new SquadMessagePinned({ resourceId: id, pinned, decision }), by)
    return message
  })

/** Adds the reaction of an actor, once. */
export const react = (
  id: string,
  { actor, reaction }: React,
  by: ActorContext
): Effect.Effect<SquadMessage, SquadMessageNotFound | ReactionsFull, Sql> =>
  Effect.gen(function* () {
    const { message } = yield* requireMessage(id)
    const added = { actor: redactText(actor), reaction: redactText(reaction) }
    const isAdded = (known: React) => known.actor === added.actor && known.reaction === added.reaction
    if (message.reactions.some(isAdded)) return message
    if (message.reactions.length >= reactionLimit) {
      return yield* new ReactionsFull({ messageId: id, limit: reactionLimit })
    }
    yield* SquadRepo.addReaction(id, added, yield* now)
    const reactions = [...message.reactions, added]
    yield* Journal.record(new SquadMessageReacted({ resourceId: id, reactions: reactions.length }), by)
    return { ...message, reactions }
  })

/** Notes that an actor has read everything up to a message. What was read stays read: the cursor never goes back. */
export const markRead = (
  { actor, messageId }: ReadMark,
  by: ActorContext
): Effect.Effect<ReadPosition, SquadMessageNotFound, Sql> =>
  Effect.gen(function* () {
    const { seq } = yield* requireMessage(messageId)
    const reader = redactText(actor)
    const before = yield* ReadCursorRepo.find(reader)
    const moves = before === undefined || before.seq < seq
    if (moves) {
      yield* ReadCursorRepo.advance(reader, seq)
      yield* Journal.record(new SquadReadAdvanced({ resourceId: reader, messageId }), by)
    }
    return {
      actor: reader,
      messageId: moves ? messageId : before.messageId,
      unreadCount: yield* ReadCursorRepo.unreadCount(reader)
    }
  })
