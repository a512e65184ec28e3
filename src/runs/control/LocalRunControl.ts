import { anyOf, fromHere, inPasswordSession, inRole } from "../../kernel/Requirement.ts"

/**
 * Who controls the runs of this machine (rulings 34, 106): the role admin, somebody who logged in with the password of its
 * owner, and whoever may write agents and is here. A token with which an agent writes agents counts here alone.
 */
export const localRunControl = anyOf(
  inRole("admin", "agent:write"),
  inPasswordSession("local-agent:run", "agent:write"),
  fromHere("agent:write")
)
