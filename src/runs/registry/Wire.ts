import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const RegistrationNotFound = Envelope.general(Errors.RegistrationNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: () => "No agent is registered under this id; POST /api/agents/register registers one"
})

export const EntryNotOwn = Envelope.general(Errors.EntryNotOwn, {
  status: 403,
  code: "PERMISSION_DENIED",
  message: () =>
    "An agent writes the entry alone whose id is the name of its key or token; others take the permission agent:write"
})

export const RegistryFull = Envelope.general(Errors.RegistryFull, {
  status: 409,
  code: "CONFLICT",
  message: ({ limit }) =>
    `There are ${limit} registered agents, all heard of within a day: deregister one that is not needed`
})
