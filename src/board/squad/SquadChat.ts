import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { redactText } from "../../kernel/Redaction.ts"
import { Storage } from "../../storage/Storage.ts"
import { walk } from "../../storage/Walk.ts"
import type { TaskNotFound } from "../tasks/Errors.ts"
import type { NotificationNotFound, ReactionsFull, SquadMessageNotFound } from "./Errors.ts"
import type { Notification, NotificationFilter } from "./Notification.ts"
import { markNotificationRead } from "./NotificationRead.ts"
import * as NotificationRepo from "./NotificationRepo.ts"
import * as ReadCursorRepo from "./ReadCursorRepo.ts"
import * as SquadListRepo from "./SquadListRepo.ts"
import { markRead, pin, react } from "./SquadMarks.ts"
import type {
  Pin,
  React,
  ReadMark,
  ReadPosition,
  SquadDraft,
  SquadFilter,
  SquadMessage,
  UnreadFilter
} from "./SquadMessage.ts"
import { post, requireMessage } from "./SquadPost.ts"
import { type SquadFound, type SquadQuery, searchLimit } from "./SquadSearch.ts"

/** The most messages of a thread that one answer holds. */
const threadLimit = 1_000

/**
 * The channel in which the agents and people of the board speak with each other. Names are stored redacted like every text, so
 * they are redacted before they are looked up too.
 */
export interface SquadChatService {
  readonly post: (
    draft: SquadDraft,
    by: ActorContext
  ) => Effect.Effect<SquadMessage, SquadMessageNotFound | TaskNotFound>
  /** The newest messages, oldest first. */
  readonly list: (filter: SquadFilter) => Effect.Effect<ReadonlyArray<SquadMessage>>
  /** What matches, newest first. */
  readonly search: (query: SquadQuery) => Effect.Effect<ReadonlyArray<SquadFound>>
  /** What others said since the actor read last, oldest first. */
  readonly unread: (filter: UnreadFilter) => Effect.Effect<ReadonlyArray<SquadMessage>>
  readonly markRead: (mark: ReadMark, by: ActorContext) => Effect.Effect<ReadPosition, SquadMessageNotFound>
  /** The whole thread that a message belongs to, oldest first. */
  readonly thread: (messageId: string) => Effect.Effect<ReadonlyArray<SquadMessage>, SquadMessageNotFound>
  readonly pin: (
    messageId: string,
    mark: Pin,
    by: ActorContext
  ) => Effect.Effect<SquadMessage, SquadMessageNotFound>
  readonly react: (
    messageId: string,
    reaction: React,
    by: ActorContext
  ) => Effect.Effect<SquadMessage, SquadMessageNotFound | ReactionsFull>
  readonly notifications: (filter: NotificationFilter) => Effect.Effect<ReadonlyArray<Notification>>
  readonly markNotificationRead: (
    id: string,
    by: ActorContext
  ) => Effect.Effect<Notification, NotificationNotFound>
}

export class SquadChat extends Context.Tag("muster/SquadChat")<SquadChat, SquadChatService>() {
  static readonly layer = Layer.effect(
    SquadChat,
    Effect.map(Storage, (storage) =>
      SquadChat.of({
        post: Effect.fn("SquadChat.post")((draft, by) => storage.write(post(draft, by))),
        list: ({ agent, ...filter }) =>
          storage.read(
            SquadListRepo.recent(agent === undefined ? filter : { ...filter, agent: redactText(agent) })
          ),
        search: Effect.fn("SquadChat.search")(function* (query) {
          const { limit = searchLimit } = query
          const found = yield* walk(
            storage,
            SquadListRepo.floor,
            (part) => SquadListRepo.search(query, part),
            limit
          )
          return found.slice(0, limit)
        }),
        unread: ({ actor, limit = 500 }) => storage.read(ReadCursorRepo.unread(redactText(actor), limit)),
        markRead: Effect.fn("SquadChat.markRead")((mark, by) => storage.write(markRead(mark, by))),
        thread: (messageId) =>
          storage.read(
            Effect.flatMap(requireMessage(messageId), ({ rootId }) =>
              SquadListRepo.thread(rootId, threadLimit)
            )
          ),
        pin: Effect.fn("SquadChat.pin")((messageId, mark, by) => storage.write(pin(messageId, mark, by))),
        react: Effect.fn("SquadChat.react")((messageId, reaction, by) =>
          storage.write(react(messageId, reaction, by))
        ),
        notifications: (filter) =>
          storage.read(NotificationRepo.list({ ...filter, actor: redactText(filter.actor) })),
        markNotificationRead: Effect.fn("SquadChat.markNotificationRead")((id, by) =>
          storage.write(markNotificationRead(id, by))
        )
      })
    )
  )
}
