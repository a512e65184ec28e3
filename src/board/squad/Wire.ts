import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

/*
 * The wire form of every error of the squad room, for all groups whose endpoints post messages.
 */

export const SquadMessageNotFound = Envelope.general(Errors.SquadMessageNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Message ${error.messageId} does not exist`
})

export const NotificationNotFound = Envelope.general(Errors.NotificationNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Notification ${error.notificationId} does not exist`
})

export const ReactionsFull = Envelope.general(Errors.ReactionsFull, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Message ${error.messageId} has ${error.limit} reactions and takes no more`
})
