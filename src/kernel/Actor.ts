import { Context, Effect, Schema } from "effect"
import { type Permission, permissionsOf, type Role } from "./Permission.ts"

/** How a request proved who it is. */
export const AuthMethod = Schema.Literal(
  "api-key",
  "api-token",
  "device-session",
  "password-session",
  "localhost-bypass",
  "auth-disabled",
  "anonymous"
)
export type AuthMethod = typeof AuthMethod.Type

/** What somebody who acts is. */
export const ActorType = Schema.Literal("user", "agent", "service")
export type ActorType = typeof ActorType.Type

/** What a paired device adds to the context of its requests. */
export interface DeviceContext {
  readonly deviceSessionId: string
  readonly deviceId: string
  readonly clientId: string
  readonly clientMode: string
}

/**
 * Who is acting: the auth context that handlers receive (spec 1-core, Authentication, rule 5).
 * `name` is what records show as `createdBy` and `updatedBy`.
 */
export interface ActorContext {
  readonly name: string
  readonly role: Role
  readonly userId: string
  readonly workspaceId: string
  readonly actorType: ActorType
  readonly authMethod: AuthMethod
  readonly tokenName?: string
  readonly permissions: ReadonlySet<Permission>
  readonly device?: DeviceContext
  /** What a device or a password session can do beyond the API. */
  readonly capabilities?: ReadonlyArray<string>
  /** Why it may do less than it was given, when the role of its member was lowered. */
  readonly degradedReason?: string
  /** The password session that the request came with. */
  readonly sessionId?: string
}

/** The actor of the current request. */
export class Actor extends Context.Tag("muster/Actor")<Actor, ActorContext>() {}

/** The default workspace: the board belongs to it. */
export const defaultWorkspace = "default"

/** An actor with all the permissions of a role. */
export const actorOf = (options: {
  readonly name: string
  readonly role: Role
  readonly authMethod: AuthMethod
  readonly actorType?: ActorContext["actorType"]
  readonly tokenName?: string
}): ActorContext => ({
  name: options.name,
  role: options.role,
  userId: options.name,
  workspaceId: defaultWorkspace,
  actorType: options.actorType ?? (options.role === "agent" ? "agent" : "user"),
  authMethod: options.authMethod,
  ...(options.tokenName === undefined ? {} : { tokenName: options.tokenName }),
  permissions: permissionsOf(options.role)
})

/**
 * Who an actor is, whatever they are called: people choose their names, and two may choose one. A person is the same
 * actor on every device and login; each token is an actor of its own, even when a later token has its name.
 */
export const identityOf = ({ authMethod, name, userId }: ActorContext): string => {
  switch (authMethod) {
    case "api-key":
      return keyIdentity(name)
    case "api-token":
      return `token:${userId}:${name}`
    case "device-session":
    case "password-session":
      return `user:${userId}`
    default:
      return authMethod
  }
}

/**
 * Whether the actor was let in without a credential: by the bypass for this machine, or because authentication is off.
 */
export const isImplicit = ({ authMethod }: ActorContext): boolean =>
  authMethod === "localhost-bypass" || authMethod === "auth-disabled"

/**
 * The id of the user that an actor is; undefined for a key of the environment and for whoever was let in without a
 * credential. The operator may have named such a key like a user's id: that does not make it the user.
 */
export const personOf = ({ authMethod, userId }: ActorContext): string | undefined =>
  authMethod === "api-token" || authMethod === "device-session" || authMethod === "password-session"
    ? userId
    : undefined

/**
 * What the credential of an actor is called: the name of a key or of a token, which an operator or an administrator chose.
 * People have none, as a display name is their own choice; nor has whoever was let in without a credential.
 */
export const credentialName = ({ authMethod, name }: ActorContext): string | undefined =>
  authMethod === "api-key" || authMethod === "api-token" ? name : undefined

/** The identity of a key of the environment, whose name the operator chose. */
export const keyIdentity = (name: string): string => `key:${name}`

/** The actor that public routes see when a request carries no credential. */
export const anonymous: ActorContext = {
  name: "anonymous",
  role: "read-only",
  userId: "anonymous",
  workspaceId: defaultWorkspace,
  actorType: "user",
  authMethod: "anonymous",
  permissions: new Set()
}

/** The service itself, when a worker acts on nobody's request. */
export const system: ActorContext = actorOf({
  name: "system",
  role: "admin",
  authMethod: "auth-disabled",
  actorType: "service"
})

/** Runs a handler's work as the actor of its request. */
export const asActor = <A, E, R>(
  work: (by: ActorContext) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | Actor> => Effect.flatMap(Actor, work)
