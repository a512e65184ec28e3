import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import { Context, Schema } from "effect"
import { Actor, type ActorContext } from "./Actor.ts"
import * as Envelope from "./Envelope.ts"
import { Permission, permissionsOf, Role } from "./Permission.ts"

/** The permission that an endpoint needs, annotated in its contract; `public` needs none. */
export class Requires extends Context.Tag("muster/Requires")<Requires, Permission | "public">() {}

/**
 * Marks an endpoint that the role read-only may use although it is not a GET: a search, or something that concerns only
 * the caller. Without the mark, only GETs are open to that role, whatever their permission (decision Q46).
 */
export class ForReaders extends Context.Tag("muster/ForReaders")<ForReaders, true>() {}

/** The request carries no credential, or an invalid one. `remedy` says how to get a valid one. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  reason: Schema.Literal("missing-credential", "invalid-credential"),
  remedy: Schema.String
}) {}

/**
 * The actor is known and may not do this. `scoped` says that the credential was given, or still has, less than its role;
 * `readsOnly` that the role has the permission and changes nothing with it.
 */
export class PermissionDenied extends Schema.TaggedError<PermissionDenied>()("PermissionDenied", {
  requiredPermission: Permission,
  role: Role,
  scoped: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  readsOnly: Schema.optionalWith(Schema.Literal(true), { exact: true })
}) {}

/** The refusal of an actor who lacks a permission. */
export const deniedTo = (by: ActorContext, requiredPermission: Permission): PermissionDenied =>
  new PermissionDenied({
    requiredPermission,
    role: by.role,
    ...(isScoped(by) ? { scoped: true } : {}),
    ...(by.permissions.has(requiredPermission) ? { readsOnly: true } : {})
  })

const isScoped = ({ authMethod, permissions, role }: ActorContext): boolean =>
  (authMethod === "api-token" || authMethod === "device-session") &&
  permissions.size < permissionsOf(role).size

const UnauthenticatedWire = Envelope.general(Unauthenticated, {
  status: 401,
  code: "UNAUTHORIZED",
  message: (error) =>
    error.reason === "missing-credential"
      ? "This request needs a credential: send an API key in the X-API-Key header"
      : "The credential of this request is not valid"
})

const PermissionDeniedWire = Envelope.general(PermissionDenied, {
  status: 403,
  code: "PERMISSION_DENIED",
  message: ({ readsOnly, requiredPermission, role, scoped }) => {
    if (readsOnly === true) return `The role ${role} reads: what is no GET needs the role agent or admin`
    return scoped === true
      ? `This credential is scoped and does not have the scope ${requiredPermission}`
      : `The role ${role} does not have the permission ${requiredPermission}`
  }
})

/**
 * Sits on every group of the contract. It resolves the credential, looks up what the matched route requires,
 * and provides the actor. (At API level it would run before routing and know no route.)
 */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("muster/Authorization", {
  provides: Actor,
  failure: Schema.Union(UnauthenticatedWire, PermissionDeniedWire)
}) {}
