import { Authorization, type Guarded, type RouteRule } from "./Authorization.ts"
import { ExplicitCredential } from "./ExplicitCredential.ts"
import type { Requirement } from "./Requirement.ts"

/** How a credential is sent, as an OpenAPI document describes it. */
export type SecurityScheme = Readonly<Record<string, unknown>>

/**
 * Who stands before a route: what credentials it takes, and the middlewares that keep it. What they provide is all that
 * handlers learn of the sender. Every route names one guard; a server with a route that names none does not start.
 */
export interface RouteGuard {
  readonly name: string
  /** The credentials that it takes, by their names in the OpenAPI document; without one everybody passes. */
  readonly accepts: Readonly<Record<string, SecurityScheme>>
  /** All of them stand on each of its routes, and none of another guard. */
  readonly middleware: ReadonlyArray<{ readonly key: string }>
  /** Whether each of its routes says what it requires of an actor. */
  readonly asks: boolean
}

/** The credentials of principals: whoever sends one is an actor with a role and permissions. */
const ofPrincipals: RouteGuard["accepts"] = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "A key of an agent, a script or an admin"
  },
  bearer: { type: "http", scheme: "bearer", description: "The token of a paired device" }
}

/** Takes everybody, and provides the actor: whoever it is, or nobody. */
export const everybody: RouteGuard = {
  name: "public",
  accepts: {},
  middleware: [Authorization],
  asks: false
}

/** Takes principals that meet a requirement, and provides the actor. */
export const principals: RouteGuard = {
  name: "principals",
  accepts: ofPrincipals,
  middleware: [Authorization],
  asks: true
}

/** Takes principals that show a credential of their own, and meet a requirement; provides the actor. */
export const credentialed: RouteGuard = {
  name: "credentialed",
  accepts: ofPrincipals,
  middleware: [ExplicitCredential, Authorization],
  asks: true
}

/** The guards behind which there is an actor. */
export const actorGuards: ReadonlyArray<RouteGuard> = [everybody, principals, credentialed]

/** Nobody may use it without a credential of their own, not even the implicit admin of a server without authentication. */
export const withOwnCredential = (requirement: Requirement): RouteRule => ({
  guard: credentialed.name,
  requirement
})

/** Only who has the credential of that guard may use it, and no principal: such a credential stands for itself. */
export const guardedBy = (guard: RouteGuard): RouteRule => ({ guard: guard.name })

/** A rule in its full form: the guard's name, and what it asks for. */
export const guardedOf = (rule: RouteRule): Guarded => {
  if (rule === "public") return { guard: everybody.name }
  return typeof rule === "object" && "guard" in rule ? rule : { guard: principals.name, requirement: rule }
}
