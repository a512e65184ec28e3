import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import { Context, Schema } from "effect"
import { Actor, type ActorContext } from "./Actor.ts"
import * as Envelope from "./Envelope.ts"
import { optional } from "./Optional.ts"
import { Permission, permissionsOf, Role } from "./Permission.ts"
import { Enough, enoughFor, isReaderOf, plainPermission, type Requirement, told } from "./Requirement.ts"

/** What a contract says of who may use a route: everybody, principals that meet a requirement, or what a guard takes. */
export type RouteRule = "public" | Requirement | Guarded

/** A guard by its name, and what it asks of principals, if it takes any. */
export interface Guarded {
  readonly guard: string
  readonly requirement?: Requirement
}

/** Who may use an endpoint, annotated in its contract: the one place that says it. */
export class Requires extends Context.Tag("muster/Requires")<Requires, RouteRule>() {}

/** The request carries no credential, or an invalid one. `remedy` says how to get a valid one. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  reason: Schema.Literal("missing-credential", "invalid-credential"),
  remedy: Schema.String
}) {}

/**
 * The actor is known and may not do this. `scoped` says that the credential was given, or still has, less than its role;
 * `readsOnly` that the role has the permission and changes nothing with it. Where a permission is not all that is asked
 * for, `enough` lists whatever would be.
 */
export class PermissionDenied extends Schema.TaggedError<PermissionDenied>()("PermissionDenied", {
  requiredPermission: Permission,
  role: Role,
  scoped: optional(Schema.Literal(true)),
  readsOnly: optional(Schema.Literal(true)),
  enough: optional(Schema.NonEmptyArray(Enough))
}) {}

/** What the refusals of a requirement name: the permission, and whatever would be enough where that is not all. */
export const lackOf = (requirement: Requirement): Pick<PermissionDenied, "requiredPermission" | "enough"> => {
  const [first, ...others] = enoughFor(requirement)
  return plainPermission(requirement) === undefined
    ? { requiredPermission: first.permission, enough: [first, ...others] }
    : { requiredPermission: first.permission }
}

/** The refusal of an actor who does not meet a requirement. */
export const deniedTo = (by: ActorContext, requirement: Requirement): PermissionDenied =>
  new PermissionDenied({
    ...lackOf(requirement),
    role: by.role,
    ...(isScoped(by) ? { scoped: true } : {}),
    ...(isReaderOf(requirement, by) ? { readsOnly: true } : {})
  })

const isScoped = ({ authMethod, permissions, role }: ActorContext): boolean =>
  (authMethod === "api-token" || authMethod === "device-session") &&
  [...permissionsOf(role)].some((permission) => !permissions.has(permission))

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
  message: ({ enough, readsOnly, requiredPermission, role, scoped }) => {
    if (readsOnly === true) return `The role ${role} reads: what is no GET needs the role agent or admin`
    if (enough !== undefined) return `This needs ${told(enough)}`
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
