import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { defaultLimit, type Page } from "../../kernel/Paging.ts"
import { nowIso } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { TaskNotFound } from "../tasks/Errors.ts"
import { requireTask } from "../tasks/Units.ts"
import * as ChatRepo from "./ChatRepo.ts"
import {
  type ChatHistory,
  type ChatMessage,
  type ChatSend,
  type ChatSent,
  type ChatSession,
  messageLimit
} from "./ChatSession.ts"
import { ChatSessionFull, ChatSessionNotFound } from "./Errors.ts"
import { ChatMessageCreated, ChatSessionDeleted } from "./Events.ts"

/** Conversations with agents. */
export interface ChatSessionsService {
  readonly send: (
    message: ChatSend,
    by: ActorContext
  ) => Effect.Effect<ChatSent, ChatSessionNotFound | ChatSessionFull | TaskNotFound>
  readonly list: (selection: {
    readonly taskId?: string | undefined
    readonly limit?: number | undefined
  }) => Effect.Effect<Page<ChatSession>>
  readonly get: (id: string) => Effect.Effect<ChatSession, ChatSessionNotFound>
  /** The newest messages, before one of them if it is given. */
  readonly history: (
    id: string,
    part: { readonly limit?: number | undefined; readonly before?: string | undefined }
  ) => Effect.Effect<ChatHistory, ChatSessionNotFound>
  readonly remove: (id: string, by: ActorContext) => Effect.Effect<void, ChatSessionNotFound>
}

export class ChatSessions extends Context.Tag("muster/ChatSessions")<ChatSessions, ChatSessionsService>() {
  static readonly layer = Layer.effect(
    ChatSessions,
    Effect.map(Storage, (storage) =>
      ChatSessions.of({
        send: Effect.fn("ChatSessions.send")((message, by) => storage.write(say(message, by))),
        list: ({ limit = defaultLimit, ...selection }) => storage.read(ChatRepo.page(selection, limit)),
        get: (id) => storage.read(requireSession(id)),
        history: (id, { before, limit = defaultLimit }) =>
          storage.read(
            Effect.zipRight(
              requireSession(id),
              Effect.map(ChatRepo.history(id, limit, before), (messages) => ({ sessionId: id, messages }))
            )
          ),
        remove: Effect.fn("ChatSessions.remove")((id, by) => storage.write(removeSession(id, by)))
      })
    )
  )
}

/** The session with an id; for what speaks in one, or listens to it. */
export const requireSession = (id: string): Effect.Effect<ChatSession, ChatSessionNotFound, Sql> =>
  Effect.filterOrFail(
    ChatRepo.find(id),
    (found) => found !== undefined,
    () => new ChatSessionNotFound({ sessionId: id })
  )

const say = ({ message: content, sessionId, ...about }: ChatSend, by: ActorContext) =>
  Effect.gen(function* () {
    const session = sessionId === undefined ? yield* begin(about, by) : yield* requireSession(sessionId)
    if (session.messageCount >= messageLimit) {
      return yield* new ChatSessionFull({ sessionId: session.id, limit: messageLimit })
    }
    const message: ChatMessage = {
      id: yield* newId("chatmsg"),
      role: by.actorType === "agent" ? "assistant" : "user",
      author: by.name,
      content,
      createdAt: yield* nowIso
    }
    yield* ChatRepo.say(session.id, message)
    yield* Journal.record(
      new ChatMessageCreated({
        resourceId: message.id,
        sessionId: session.id,
        role: message.role,
        ...(session.taskId === null ? {} : { taskId: session.taskId })
      }),
      by
    )
    return { sessionId: session.id, message }
  })

const begin = ({ agent, taskId }: Pick<ChatSend, "agent" | "taskId">, by: ActorContext) =>
  Effect.gen(function* () {
    if (taskId !== undefined) yield* requireTask(taskId)
    const at = yield* nowIso
    const session: ChatSession = {
      id: yield* newId("chat"),
      agent: agent ?? null,
      taskId: taskId ?? null,
      messageCount: 0,
      createdBy: by.name,
      createdAt: at,
      updatedAt: at
    }
    yield* ChatRepo.insert(session)
    return session
  })

const removeSession = (id: string, by: ActorContext) =>
  Effect.gen(function* () {
    const { messageCount } = yield* requireSession(id)
    yield* ChatRepo.remove(id)
    yield* Journal.record(new ChatSessionDeleted({ resourceId: id, messageCount }), by)
  })
