import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const AdapterNotFound = Envelope.general(Errors.AdapterNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Adapter ${error.adapterId} does not exist: make it with PUT`
})

export const AdapterRefused = Envelope.general(Errors.AdapterRefused, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})

export const AdapterOfOtherKind = Envelope.general(Errors.AdapterOfOtherKind, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Adapter ${error.adapterId} is of the kind ${error.kind}: this is for the other kind`
})

export const AdapterLimitReached = Envelope.general(Errors.AdapterLimitReached, {
  status: 409,
  code: "CONFLICT",
  message: (error) =>
    `The board has ${error.limit} adapters, as many as it can: delete one that is not needed`
})

export const AdapterInUse = Envelope.general(Errors.AdapterInUse, {
  status: 409,
  code: "CONFLICT",
  message: ({ adapterId, enabled, openDeliveries }) =>
    enabled
      ? `Adapter ${adapterId} is switched on: disconnect it first`
      : `${openDeliveries} messages are still on their way through adapter ${adapterId}: they come to an end within a quarter of an hour`
})
