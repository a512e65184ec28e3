import { Schema } from "effect"
import { optional } from "../kernel/Optional.ts"
import { Permission, Role } from "../kernel/Permission.ts"
import { Enough } from "../kernel/Requirement.ts"
import { Event } from "../storage/events/Event.ts"

/** What somebody lacked: what a route requires, the permission of fields of a body, what they would have handed out, or a key. */
export const Lack = Schema.Struct({
  requiredPermission: optional(Permission),
  enough: optional(Schema.NonEmptyArray(Enough)),
  fields: optional(Schema.Array(Schema.String)),
  role: optional(Role),
  missing: optional(Schema.Array(Permission)),
  authMethod: optional(Schema.String)
})
export type Lack = typeof Lack.Type

/** Somebody asked for more than they may have, and how often. The stream is the route's. */
export class PermissionDenied extends Event("permission.denied", "route", {
  ...Lack.fields,
  times: Schema.Int
}) {}
