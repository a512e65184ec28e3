import { defaultWorkspace } from "../../kernel/Actor.ts"
import { type Permission, permissionsOf, type Role } from "../../kernel/Permission.ts"

const ranks: Readonly<Record<Role, number>> = { "read-only": 0, agent: 1, admin: 2 }

/** Whether a role stands above another one. */
export const isAbove = (one: Role, other: Role): boolean => ranks[one] > ranks[other]

/** The lower one of two roles. */
export const lower = (one: Role, other: Role): Role => (isAbove(one, other) ? other : one)

/** What a credential was given: a role, and those of its permissions that it may use. */
export interface Grant {
  readonly role: Role
  readonly scopes: ReadonlyArray<Permission>
}

/** What a credential may do now. */
export interface Effective {
  readonly role: Role
  readonly permissions: ReadonlySet<Permission>
  /** Says what it lost, when the membership behind it no longer carries all that it was given. */
  readonly degradedReason?: string
}

/**
 * What a token may carry beyond its role when an administrator names it: nothing has it by the role alone. An agent that
 * works for others on the machine of the server writes agents there (ruling 106).
 */
const none: ReadonlySet<Permission> = new Set()
const beyond: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  admin: none,
  agent: new Set(["agent:write"]),
  "read-only": none
}

/** The scopes of a new token: as of any credential, and what is named beyond its role. */
export const grantedToToken = (role: Role, asked?: ReadonlyArray<Permission>): ReadonlyArray<Permission> => [
  ...granted(role, asked),
  ...new Set(asked?.filter((scope) => beyond[role].has(scope)))
]

/** The scopes of a new credential: those that were asked for, or all of its role, as far as the role has them. */
export const granted = (role: Role, asked?: ReadonlyArray<Permission>): ReadonlyArray<Permission> => {
  const all = permissionsOf(role)
  return asked === undefined ? [...all] : [...new Set(asked)].filter((scope) => all.has(scope))
}

/** What a member of another workspace may do here: see where they belong. The board is not theirs. */
const elsewhere: ReadonlySet<Permission> = new Set(["workspace:read"])

/** What is left of a grant under the role that its member has now, in the workspace of the membership. */
export const effective = (
  { role, scopes }: Grant,
  member: Role,
  workspaceId: string = defaultWorkspace
): Effective => {
  const now = lower(role, member)
  const all = permissionsOf(now)
  // What goes beyond a role was given to that role: a credential that has come down to it never had it so.
  const more = now === role ? beyond[role] : none
  const isHere = workspaceId === defaultWorkspace
  const permissions = new Set(
    scopes.filter((scope) => (all.has(scope) || more.has(scope)) && (isHere || elsewhere.has(scope)))
  )
  const lost = scopes.filter((scope) => !permissions.has(scope))
  return {
    role: now,
    permissions,
    ...(lost.length === 0
      ? {}
      : {
          degradedReason: isHere
            ? `The member's role is ${member} now: this lost ${lost.join(", ")}`
            : `The board belongs to workspace ${defaultWorkspace}: this lost ${lost.join(", ")}`
        })
  }
}
