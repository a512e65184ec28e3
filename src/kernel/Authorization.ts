import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import { Context, Schema } from "effect"
import { Actor } from "./Actor.ts"
import * as Envelope from "./Envelope.ts"
import { Permission, Role } from "./Permission.ts"

/** The permission that an endpoint needs, annotated in its contract; `public` needs none. */
export class Requires extends Context.Tag("muster/Requires")<Requires, Permission | "public">() {}

/** No credential came with the request, or one that is not valid. `remedy` says how to get past it. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  reason: Schema.Literal("missing-credential", "invalid-credential"),
  remedy: Schema.String
}) {}

/** The actor is known and may not do this. */
export class PermissionDenied extends Schema.TaggedError<PermissionDenied>()("PermissionDenied", {
  requiredPermission: Permission,
  role: Role
}) {}

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
  message: (error) => `The role ${error.role} does not have the permission ${error.requiredPermission}`
})

/**
 * Sits on every group of the contract. It resolves the credential, looks up what the matched route requires,
 * and provides the actor. (At API level it would run before routing and know no route.)
 */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("muster/Authorization", {
  provides: Actor,
  failure: Schema.Union(UnauthenticatedWire, PermissionDeniedWire)
}) {}
