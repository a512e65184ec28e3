import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const InvitationNotFound = Envelope.general(Errors.InvitationNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: () => "There is no such invitation"
})

export const InvitationOver = Envelope.general(Errors.InvitationOver, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The invitation is ${error.status}: ask for another one`
})

export const InvitedOther = Envelope.general(Errors.InvitedOther, {
  status: 403,
  code: "PERMISSION_DENIED",
  message: () => "The invitation is for another address"
})

export const AlreadyMember = Envelope.general(Errors.AlreadyMember, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `This person belongs to workspace ${error.workspaceId} already`
})

export const NobodyInPerson = Envelope.general(Errors.NobodyInPerson, {
  status: 409,
  code: "CONFLICT",
  message: () => "An API key of the environment is no person: accept with POST /api/auth/invitations/accept"
})

export const InvitationLimit = Envelope.general(Errors.InvitationLimit, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `${error.limit} invitations are open: revoke some of them first`
})
