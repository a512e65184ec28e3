import { Effect, Schema } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import * as Envelope from "../../kernel/Envelope.ts"
import { Permission, permissionsOf, Role } from "../../kernel/Permission.ts"
import { type Grant, isAbove } from "./Scopes.ts"

/** Somebody wanted to hand out more than they hold: these permissions, or a role above their own. */
export class GrantTooWide extends Schema.TaggedError<GrantTooWide>()("GrantTooWide", {
  role: Role,
  missing: Schema.Array(Permission)
}) {}

export const GrantTooWideWire = Envelope.general(GrantTooWide, {
  status: 403,
  code: "PERMISSION_DENIED",
  message: ({ missing, role }) =>
    missing.length === 0
      ? `You can't hand out the role ${role}: your own is below it`
      : `You can't hand out what you don't hold: ${missing.join(", ")}. Name scopes that you have`
})

type Holder = Pick<ActorContext, "permissions" | "role">

/**
 * What a caller hands out, as a token, a device, an invitation or a role, is within what the caller holds (ruling 111): else
 * whoever may make credentials may do everything. A grant is judged as it will count, without the scopes that its role
 * takes away.
 */
export const requireWithin = ({ role, scopes }: Grant, by: Holder): Effect.Effect<void, GrantTooWide> => {
  const missing = scopes.filter((scope) => !by.permissions.has(scope))
  return missing.length > 0 || isAbove(role, by.role)
    ? Effect.fail(new GrantTooWide({ role, missing }))
    : Effect.void
}

/** The same for a role as a whole. Of somebody who has a role already, only what the new one adds is handed out. */
export const requireRoleWithin = (
  role: Role,
  by: Holder,
  before?: Role
): Effect.Effect<void, GrantTooWide> => {
  if (before !== undefined && !isAbove(role, before)) return Effect.void
  const held = before === undefined ? undefined : permissionsOf(before)
  const scopes = [...permissionsOf(role)].filter((scope) => held?.has(scope) !== true)
  return requireWithin({ role, scopes }, by)
}
