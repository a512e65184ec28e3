import { Effect, Schema } from "effect"
import type { ActorContext } from "./Actor.ts"
import * as Envelope from "./Envelope.ts"
import { Permission } from "./Permission.ts"

/** The actor may use the route, and may not set these fields of its body. */
export class FieldsDenied extends Schema.TaggedError<FieldsDenied>()("FieldsDenied", {
  fields: Schema.Array(Schema.String),
  requiredPermission: Permission
}) {}

/** A 403 that names the fields and the permission that they need. */
export const FieldsDeniedWire = Envelope.general(FieldsDenied, {
  status: 403,
  code: "PERMISSION_DENIED",
  message: ({ fields, requiredPermission }) =>
    `To set ${fields.join(", ")} like this takes the permission ${requiredPermission}`
})

/**
 * Lets a write pass that sets none of the fields that only an administrator may set: those that make the server run a
 * program (ruling 108), name a secret, enter a credential, or change where one is sent (ruling 109). A room compares in
 * the unit of its write, so that what was compared is what is replaced.
 */
export const requireAdministrator = (
  by: ActorContext,
  fields: ReadonlyArray<string>
): Effect.Effect<void, FieldsDenied> =>
  fields.length === 0 || by.permissions.has("admin:manage")
    ? Effect.void
    : new FieldsDenied({ fields, requiredPermission: "admin:manage" })
