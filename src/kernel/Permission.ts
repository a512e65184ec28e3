import { Schema } from "effect"

/** The permission names that routes ask for (spec 1-core, Authentication, rule 6). */
export const Permission = Schema.Literal(
  "task:read",
  "task:write",
  "comment:write",
  "workflow:read",
  "workflow:execute",
  "agent:read",
  "agent:write",
  "settings:read",
  "settings:write",
  "policy:read",
  "policy:write",
  "workspace:read",
  "work_product:read",
  "work_product:write",
  "backup:read",
  "backup:write",
  "admin:manage"
)
export type Permission = typeof Permission.Type

/** Who a credential speaks for (spec 1-core, Authentication, rule 4). */
export const Role = Schema.Literal("admin", "agent", "read-only")
export type Role = typeof Role.Type

/** What each role may do (spec README, ruling 1). */
const permissions: Record<Role, ReadonlyArray<Permission>> = {
  admin: Permission.literals,
  agent: [
    "task:read",
    "task:write",
    "comment:write",
    "workflow:read",
    "workflow:execute",
    "agent:read",
    "settings:read",
    "policy:read",
    "workspace:read",
    "work_product:read",
    "work_product:write"
  ],
  "read-only": [
    "task:read",
    "workflow:read",
    "agent:read",
    "settings:read",
    "policy:read",
    "workspace:read",
    "work_product:read"
  ]
}

const sets: Record<Role, ReadonlySet<Permission>> = {
  admin: new Set(permissions.admin),
  agent: new Set(permissions.agent),
  "read-only": new Set(permissions["read-only"])
}

/** Everything that the role may do. */
export const permissionsOf = (role: Role): ReadonlySet<Permission> => sets[role]
