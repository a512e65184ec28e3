import { Array as Arr, Schema } from "effect"
import type { ActorContext } from "./Actor.ts"
import { optional } from "./Optional.ts"
import { Permission, Role } from "./Permission.ts"

/**
 * What would be enough to be let through. There is a permission in each, so that a credential with few scopes stays one:
 * the role admin alone opens nothing to a token of an admin that may only read.
 */
export const Enough = Schema.Struct({
  permission: Permission,
  /** The role that the actor must have, and no other one. */
  role: optional(Role),
  /** What a password session can do beyond the API (`local-agent:run`): nothing else than such a session counts. */
  capability: optional(Schema.String),
  /** Only in a request that is made on this machine, to it, and by nobody's order from elsewhere. */
  fromHere: optional(Schema.Literal(true))
})
export type Enough = typeof Enough.Type

/** One way to be let through. */
export interface Way extends Enough {
  /** Whether the role read-only may go it where a request is no GET. */
  readonly forReaders?: true
}

/**
 * What a route requires of an actor: a permission, or what the functions below make of permissions. These are the forms
 * that the interface asks for, and there are no others.
 */
export type Requirement = Permission | Way | AnyOf

interface AnyOf {
  readonly anyOf: Arr.NonEmptyReadonlyArray<Way>
}

/**
 * A permission with which the role read-only may use what is no GET and changes nothing for others: a search, a preview,
 * what somebody does about themselves. It may use no other one, whatever permission that needs (decision Q46).
 */
export const forReaders = (permission: Permission): Requirement => ({ permission, forReaders: true })

/** A permission that counts with one role alone. */
export const inRole = (role: Role, permission: Permission): Requirement => ({ permission, role })

/**
 * A permission that counts in a password session alone that can do something beyond the API. A device has capabilities
 * too, and whoever paired it has chosen them: they count for nothing here.
 */
export const inPasswordSession = (capability: string, permission: Permission): Requirement => ({
  permission,
  capability
})

/** A permission that counts on this machine alone. */
export const fromHere = (permission: Permission): Requirement => ({ permission, fromHere: true })

/** One of several requirements. */
export const anyOf = (
  one: Requirement,
  other: Requirement,
  ...more: ReadonlyArray<Requirement>
): Requirement => ({ anyOf: Arr.flatMap([one, other, ...more], waysOf) })

const waysOf = (requirement: Requirement): Arr.NonEmptyReadonlyArray<Way> => {
  if (typeof requirement === "string") return [{ permission: requirement }]
  return "anyOf" in requirement ? requirement.anyOf : [requirement]
}

/** Whatever would be enough, in the order in which the contract names it. */
export const enoughFor = (requirement: Requirement): Arr.NonEmptyReadonlyArray<Enough> =>
  Arr.map(waysOf(requirement), ({ forReaders: _, ...enough }) => enough)

/** The permission that a requirement is, when it is nothing else. */
export const plainPermission = (requirement: Requirement): Permission | undefined => {
  const [first, ...others] = waysOf(requirement)
  return others.length === 0 && isPlain(first) ? first.permission : undefined
}

const isPlain = ({ capability, fromHere, role }: Enough): boolean =>
  role === undefined && capability === undefined && fromHere === undefined

/** Whether an actor is let through. Where nobody can say that the request is made here, it is not. */
export type Admits = (by: ActorContext, isFromHere?: () => boolean) => boolean

/**
 * The decision for one route, made once: a hot request asks it every time, and of a plain permission it is one look into
 * a set.
 */
export const compile = (requirement: Requirement, method: string): Admits => {
  const [first, ...others] = Arr.map(waysOf(requirement), (way) => admitting(way, method))
  return others.length === 0
    ? first
    : (by, isFromHere) => first(by, isFromHere) || others.some((admits) => admits(by, isFromHere))
}

const admitting = (way: Way, method: string): Admits => {
  const { permission } = way
  const readersMay = method === "GET" || way.forReaders === true
  if (!isPlain(way)) {
    return (by, isFromHere) => has(way, by, isFromHere) && (readersMay || by.role !== "read-only")
  }
  return readersMay
    ? ({ permissions }) => permissions.has(permission)
    : ({ permissions, role }) => permissions.has(permission) && role !== "read-only"
}

/** Whether an actor has what is enough, the rule about readers apart. */
const has = (
  { capability, fromHere, permission, role }: Enough,
  by: ActorContext,
  isFromHere: () => boolean = () => false
): boolean =>
  by.permissions.has(permission) &&
  (role === undefined || by.role === role) &&
  (capability === undefined ||
    (by.authMethod === "password-session" && by.capabilities?.includes(capability) === true)) &&
  (fromHere === undefined || isFromHere())

/** Whether somebody who was refused has what is enough, and is refused because their role only reads. */
export const isReaderOf = (requirement: Requirement, by: ActorContext): boolean =>
  by.role === "read-only" && waysOf(requirement).some((way) => has(way, by))

/** Whatever would be enough, as people read it; `mark` sets off the names. */
export const told = (enough: ReadonlyArray<Enough>, mark = (name: string) => name): string =>
  enough
    .map(({ capability, fromHere, permission, role }) =>
      [
        `the permission ${mark(permission)}`,
        ...(role === undefined ? [] : [`with the role ${mark(role)}`]),
        ...(capability === undefined ? [] : [`in a password session with ${mark(capability)}`]),
        ...(fromHere === undefined ? [] : ["on the machine of the server"])
      ].join(" ")
    )
    .join(", or ")
