import * as Envelope from "../../kernel/Envelope.ts"
import type { LimitingScope } from "../capacity/Capacity.ts"
import * as Errors from "./Errors.ts"

const named = ({ scope, scopeId }: LimitingScope): string =>
  scope === "global" ? "the whole board" : scope === "host" ? "its host" : `the ${scope} ${scopeId}`

/** Refusals of launches: the launch declares them with its own. */
export const AdmissionOverload = Envelope.general(Errors.AdmissionOverload, {
  status: 409,
  code: "ADMISSION_OVERLOAD",
  message: ({ limitingScope, queue }) =>
    `There is no room now: the limit of ${named(limitingScope)} is used up, and the queue is ${queue}. Try again later`
})

export const AdmissionPolicyDenied = Envelope.general(Errors.AdmissionPolicyDenied, {
  status: 409,
  code: "ADMISSION_POLICY_DENIED",
  message: ({ limitingScope }) =>
    `This asks for more than the limit of ${named(limitingScope)}, so it never starts. Ask for less, or raise the limit in features.admission.limits`
})

export const QueueEntryNotFound = Envelope.general(Errors.QueueEntryNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: () => "No entry of the queue has this id"
})

export const QueueEntryOver = Envelope.general(Errors.QueueEntryOver, {
  status: 409,
  code: "CONFLICT",
  message: ({ state }) =>
    state === "dispatched"
      ? "This has been dispatched: stop its attempt instead"
      : "This is over: it waits for nothing any more"
})
