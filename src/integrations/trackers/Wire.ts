import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"
import { reasonOf } from "./Reasons.ts"

export const TrackerInvalid = Envelope.general(Errors.TrackerInvalid, {
  status: 400,
  code: "VALIDATION_ERROR",
  message: () => "Validation failed"
})

export const TrackerProfileNotFound = Envelope.general(Errors.TrackerProfileNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Tracker profile ${error.profileId} does not exist`
})

export const TrackerSchemaNotFound = Envelope.general(Errors.TrackerSchemaNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: () => "No tracker was introspected yet"
})

export const TrackerProfileLimitReached = Envelope.general(Errors.TrackerProfileLimitReached, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The board has ${error.limit} tracker profiles, as many as it can: change one of them`
})

export const TrackerUnavailable = Envelope.general(Errors.TrackerUnavailable, {
  status: 409,
  code: "CONFLICT",
  message: ({ outcome, provider, reason }) => {
    const happened = `The tracker ${provider} did not do it: ${reasonOf(reason)}`
    return outcome === "unknown"
      ? `${happened}. Whether the item was made is not known: the next create looks for it before it makes another`
      : happened
  }
})

export const TrackerCreateUnderWay = Envelope.general(Errors.TrackerCreateUnderWay, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The item of task ${error.taskId} is being created right now: look again in a moment`
})

export const TrackerItemExists = Envelope.general(Errors.TrackerItemExists, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `Task ${error.taskId} has the item ${error.key} by this profile already`
})
