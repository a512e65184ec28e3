import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const PairingRefused = Envelope.general(Errors.PairingRefused, {
  status: 401,
  code: "UNAUTHORIZED",
  message: () =>
    "Nothing is paired: a code counts for five minutes, once, and with the payload of its link as it is. Ask an admin for another one"
})

export const DeviceSessionNotFound = Envelope.general(Errors.DeviceSessionNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Device session ${error.deviceSessionId} does not exist`
})

export const DeviceLimit = Envelope.general(Errors.DeviceLimit, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `${error.limit} devices are paired: revoke some of them first`
})
