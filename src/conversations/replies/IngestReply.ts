import { Effect } from "effect"
import type { SquadMessageNotFound } from "../../board/squad/Errors.ts"
import type { SquadMessage } from "../../board/squad/SquadMessage.ts"
import { postExternal, requireMessage } from "../../board/squad/Units.ts"
import type { TaskNotFound } from "../../board/tasks/Errors.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { deniedTo, type PermissionDenied } from "../../kernel/Authorization.ts"
import type { Permission } from "../../kernel/Permission.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import type { AdapterNotFound } from "../adapters/Errors.ts"
import { requireAdapter } from "../adapters/Units.ts"
import { recordDelivery, threadOfEvent, tieThread } from "../deliveries/Units.ts"
import { communityOf } from "./Community.ts"
import { AdapterDisabled } from "./Errors.ts"
import { ReplyReceived, ReplyReplayed } from "./Events.ts"
import type { Reply } from "./Reply.ts"

/** A reply as it stands in the squad chat, and whether it stood there before. */
export interface Ingested {
  readonly message: SquadMessage
  readonly replayed: boolean
}

/** Why a reply is not taken in. */
export type ReplyRefused =
  | AdapterNotFound
  | AdapterDisabled
  | PermissionDenied
  | SquadMessageNotFound
  | TaskNotFound

const mayDecide: ReadonlyArray<Permission> = ["workflow:execute", "task:write", "admin:manage"]

/** A reply to an approval needs one of these permissions, whatever it says. */
const requirePermission = ({ target }: Reply, by: ActorContext): Effect.Effect<void, PermissionDenied> =>
  target.approvalId === undefined || mayDecide.some((permission) => by.permissions.has(permission))
    ? Effect.void
    : deniedTo(by, "workflow:execute")

/**
 * Takes a reply in, once for an adapter and the reply's id: units run one after another, so of two at once the second
 * finds the message of the first.
 */
export const ingest = (
  adapterId: string,
  reply: Reply,
  by: ActorContext
): Effect.Effect<Ingested, ReplyRefused, Sql> =>
  Effect.gen(function* () {
    yield* requirePermission(reply, by)
    const adapter = yield* requireAdapter(adapterId)
    if (!adapter.enabled) return yield* new AdapterDisabled({ adapterId })
    const channelId = adapter.kind === "teamchat" ? adapter.channelId : null
    const known = yield* threadOfEvent(communityOf(adapterId), reply.externalReplyId)
    const replayed = known !== undefined
    const message =
      known === undefined
        ? yield* firstOf(adapterId, channelId, reply, by)
        : (yield* requireMessage(known.squadMessageId)).message
    yield* recordDelivery({
      adapterId,
      direction: "inbound",
      status: replayed ? "replayed" : "success",
      squadMessageId: message.id,
      eventId: reply.externalReplyId,
      ...(channelId === null ? {} : { channelId }),
      community: communityOf(adapterId),
      actor: reply.actor
    })
    const told = { resourceId: message.id, adapterId, approval: reply.target.approvalId !== undefined }
    yield* Journal.record(replayed ? new ReplyReplayed(told) : new ReplyReceived(told), by)
    return { message, replayed }
  })

/** Puts a reply that nobody has seen yet into the thread of the message that it is about. */
const firstOf = (
  adapterId: string,
  channelId: string | null,
  { actor, displayName, externalReplyId, externalThreadId, message, target }: Reply,
  by: ActorContext
) =>
  Effect.gen(function* () {
    const parent = yield* requireMessage(target.squadMessageId)
    const posted = yield* postExternal(
      {
        agent: displayName,
        message,
        replyToId: target.squadMessageId,
        ...(target.taskId === undefined ? {} : { taskId: target.taskId }),
        external: {
          provider: "teamchat",
          eventId: externalReplyId,
          threadId: externalThreadId,
          actor,
          ...(channelId === null ? {} : { channelId })
        }
      },
      by
    )
    yield* tieThread({
      adapterId,
      community: communityOf(adapterId),
      channelId: channelId ?? "",
      eventId: externalReplyId,
      rootEventId: externalThreadId,
      direction: "inbound",
      squadMessageId: posted.id,
      rootSquadMessageId: parent.rootId
    })
    return posted
  })
