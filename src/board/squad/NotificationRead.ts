import { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { NotificationNotFound } from "./Errors.ts"
import { NotificationRead } from "./Events.ts"
import type { Notification } from "./Notification.ts"
import * as NotificationRepo from "./NotificationRepo.ts"

/** Marks a notification as read; one that is read already stays so. */
export const markNotificationRead = (
  id: string,
  by: ActorContext
): Effect.Effect<Notification, NotificationNotFound, Sql> =>
  Effect.gen(function* () {
    const found = yield* NotificationRepo.find(id)
    if (found === undefined) return yield* new NotificationNotFound({ notificationId: id })
    if (found.read) return found
    yield* NotificationRepo.markRead(id)
    yield* Journal.record(new NotificationRead({ resourceId: id, messageId: found.messageId }), by)
    return { ...found, read: true }
  })
