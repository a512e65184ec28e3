import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const MappingNotFound = Envelope.general(Errors.MappingNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Channel ${error.channelId} is not mapped: map it with PUT`
})

export const MappingConflict = Envelope.general(Errors.MappingConflict, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `Channel ${error.enabledChannelId} leads to the squad chat already: disable it first, as there is one at a time`
})

export const MappingLimitReached = Envelope.general(Errors.MappingLimitReached, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `The adapter has ${error.limit} mappings, as many as it can: delete one that is not needed`
})

export const MappingInUse = Envelope.general(Errors.MappingInUse, {
  status: 409,
  code: "CONFLICT",
  message: ({ channelId, enabled, openDeliveries }) =>
    enabled
      ? `Channel ${channelId} leads to the squad chat: disable its mapping first`
      : `${openDeliveries} messages are still on their way to channel ${channelId}: they come to an end within a quarter of an hour`
})
