import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { redactText } from "../../kernel/Redaction.ts"
import { iso, now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { TaskNotFound } from "../tasks/Errors.ts"
import { requireTask } from "../tasks/Units.ts"
import { SquadMessageNotFound } from "./Errors.ts"
import { SquadMessageCreated, SquadMessageUpdated } from "./Events.ts"
import type { External } from "./External.ts"
import { fold } from "./Fold.ts"
import { mentionsOf } from "./Mentions.ts"
import * as NotificationRepo from "./NotificationRepo.ts"
import type { SquadDraft, SquadMessage, SystemEventKind } from "./SquadMessage.ts"
import * as SquadRepo from "./SquadRepo.ts"

/*
 * The units that put a message into the squad chat, for this room and for every other one that has something to say
 * there: they run in the unit of what they tell of.
 */

/** The author of system events. */
const systemAgent = "system"

/** An event of the service. Whoever tells it knows its task: it is not looked up again. */
export interface SystemEvent {
  readonly kind: SystemEventKind
  readonly message: string
  readonly taskId?: string
}

/** The message with an id; for what refers to one. */
export const requireMessage = (id: string): Effect.Effect<SquadRepo.SquadRow, SquadMessageNotFound, Sql> =>
  Effect.filterOrFail(
    SquadRepo.find(id),
    (found) => found !== undefined,
    () => new SquadMessageNotFound({ messageId: id })
  )

/** The roots of the threads of these messages, for whoever brings many answers in; unknown ones are left out. */
export const rootsOf = SquadRepo.roots

/**
 * Posts a message: its secrets are redacted, the names in its text are found, and whom it mentions is notified, except
 * its author. The message that it answers, and the task that it is about, must exist.
 */
export const post = (
  draft: SquadDraft,
  by: ActorContext
): Effect.Effect<SquadMessage, SquadMessageNotFound | TaskNotFound, Sql> =>
  Effect.gen(function* () {
    const { decision = false, mentions = [], pinned = false, replyToId, tags = [], taskId, ...said } = draft
    if (taskId !== undefined) yield* requireTask(taskId)
    const parent = replyToId === undefined ? undefined : yield* requireMessage(replyToId)
    const message = redactText(said.message)
    const given = mentions.map(({ kind, target }) => ({ target: redactText(target), kind: redactText(kind) }))
    const posted = yield* store(
      {
        agent: redactText(said.agent),
        message,
        system: false,
        ...(said.model === undefined ? {} : { model: redactText(said.model) }),
        tags: tags.map(redactText),
        ...(replyToId === undefined ? {} : { replyToId }),
        mentions: mentionsOf(given, message),
        ...(taskId === undefined ? {} : { taskId }),
        ...(said.runId === undefined ? {} : { runId: redactText(said.runId) }),
        pinned,
        decision
      },
      parent?.rootId,
      by
    )
    yield* notify(posted)
    return posted
  })

/** Tells the squad of something that the service did or saw. It mentions nobody. */
export const postSystem = (
  { kind, message, taskId }: SystemEvent,
  by: ActorContext
): Effect.Effect<SquadMessage, never, Sql> =>
  store(
    {
      agent: systemAgent,
      message: redactText(message),
      system: true,
      kind,
      tags: [],
      mentions: [],
      ...(taskId === undefined ? {} : { taskId }),
      pinned: false,
      decision: false
    },
    undefined,
    by
  )

/** What was said elsewhere. Its texts are sanitised by whoever brings it. */
export interface ExternalDraft {
  readonly id?: string
  readonly agent: string
  readonly message: string
  readonly replyToId?: string
  /** The root of the thread of `replyToId`, from whoever has looked it up in this unit: it is not looked up again. */
  readonly rootId?: string
  readonly taskId?: string
  readonly external: External
}

/** Brings a message in that was said elsewhere. It mentions and notifies like any other one. */
export const postExternal = (
  draft: ExternalDraft,
  by: ActorContext
): Effect.Effect<SquadMessage, SquadMessageNotFound | TaskNotFound, Sql> =>
  Effect.gen(function* () {
    const { external, id, replyToId, taskId } = draft
    if (taskId !== undefined) yield* requireTask(taskId)
    const rootId =
      draft.rootId ?? (replyToId === undefined ? undefined : (yield* requireMessage(replyToId)).rootId)
    const message = redactText(draft.message)
    const posted = yield* store(
      {
        ...(id === undefined ? {} : { id }),
        agent: redactText(draft.agent),
        message,
        system: false,
        tags: [],
        ...(replyToId === undefined ? {} : { replyToId }),
        mentions: mentionsOf([], message),
        ...(taskId === undefined ? {} : { taskId }),
        external,
        pinned: false,
        decision: false
      },
      rootId,
      by
    )
    yield* notify(posted)
    return posted
  })

/** Notes what became of a message at its source. Its text stays. */
export const noteExternal = (
  messageId: string,
  external: External,
  by: ActorContext
): Effect.Effect<void, never, Sql> =>
  Effect.zipRight(
    SquadRepo.setExternal(messageId, external),
    Journal.record(
      new SquadMessageUpdated({
        resourceId: messageId,
        edits: external.edits?.length ?? 0,
        deletions: external.deletions?.length ?? 0
      }),
      by
    )
  )

type Content = Omit<SquadMessage, "id" | "reactions" | "createdBy" | "createdAt" | "timestamp"> & {
  readonly id?: string
}

/** Stores a message in the thread of a root; without one, it is the root of its own. */
const store = (
  content: Content,
  rootId: string | undefined,
  by: ActorContext
): Effect.Effect<SquadMessage, never, Sql> =>
  Effect.gen(function* () {
    const id = content.id ?? (yield* newId("msg"))
    const at = yield* now
    const createdAt = iso(at)
    const message: SquadMessage = {
      ...content,
      id,
      reactions: [],
      createdBy: by.name,
      createdAt,
      timestamp: createdAt
    }
    yield* SquadRepo.insert(message, { rootId: rootId ?? id, at })
    yield* Journal.record(
      new SquadMessageCreated({
        resourceId: id,
        system: message.system,
        mentions: message.mentions.length,
        ...(message.kind === undefined ? {} : { kind: message.kind }),
        ...(message.replyToId === undefined ? {} : { replyToId: message.replyToId }),
        ...(message.taskId === undefined ? {} : { taskId: message.taskId })
      }),
      by
    )
    return message
  })

const notify = ({ agent, id, mentions }: SquadMessage): Effect.Effect<void, never, Sql> =>
  Effect.forEach(
    mentions.filter(({ target }) => fold(target) !== fold(agent)),
    ({ target }) =>
      Effect.flatMap(newId("ntf"), (notificationId) =>
        NotificationRepo.insert({ id: notificationId, actor: target, messageId: id })
      ),
    { discard: true }
  )
