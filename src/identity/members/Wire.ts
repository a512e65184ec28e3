import * as Envelope from "../../kernel/Envelope.ts"
import * as Errors from "./Errors.ts"

export const WorkspaceNotFound = Envelope.general(Errors.WorkspaceNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Workspace ${error.workspaceId} does not exist`
})

export const MemberNotFound = Envelope.general(Errors.MemberNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Nobody belongs to the workspace by the id ${error.memberId}`
})

export const NotAMember = Envelope.general(Errors.NotAMember, {
  status: 403,
  code: "PERMISSION_DENIED",
  message: (error) => `You do not belong to workspace ${error.workspaceId}`
})

export const LastAdmin = Envelope.general(Errors.LastAdmin, {
  status: 409,
  code: "CONFLICT",
  message: () => "This is the last admin of the workspace: make somebody else admin first"
})
