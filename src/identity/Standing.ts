import { Context, Effect, Layer, Schema } from "effect"
import { type ActorContext, ActorType, AuthMethod } from "../kernel/Actor.ts"
import { Permission, permissionsOf, Role } from "../kernel/Permission.ts"
import { now } from "../kernel/Time.ts"
import { Storage } from "../storage/Storage.ts"
import type { AuthSettings } from "./auth/Auth.ts"
import { membershipsOf } from "./members/Units.ts"
import { allPrincipals } from "./principals/Units.ts"

/** Somebody who set something up that acts in their name later, as they were then. */
export const Founder = Schema.Struct({
  name: Schema.String,
  role: Role,
  userId: Schema.String,
  workspaceId: Schema.String,
  actorType: ActorType,
  authMethod: AuthMethod,
  permissions: Schema.Array(Permission)
})
export type Founder = typeof Founder.Type

/** What is kept of an actor, so that their rights can be looked up again later. */
export const founderOf = (actor: ActorContext): Founder => {
  const { actorType, authMethod, name, permissions, role, userId, workspaceId } = actor
  return { name, role, userId, workspaceId, actorType, authMethod, permissions: [...permissions] }
}

const nobody: ReadonlySet<Permission> = new Set()

/**
 * What somebody who set something up earlier may do now. It is never more than they could do then: a removed key, a
 * revoked token and an ended membership leave nothing, a lowered role leaves less.
 */
export interface StandingService {
  readonly now: (founder: Founder) => Effect.Effect<ActorContext>
}

export class Standing extends Context.Tag("muster/Standing")<Standing, StandingService>() {
  static readonly layer = (settings: AuthSettings) =>
    Layer.effect(
      Standing,
      Effect.map(Storage, (storage) => {
        const left = (founder: Founder) => {
          switch (founder.authMethod) {
            case "api-token":
              return storage.read(ofToken(founder))
            case "device-session":
            case "password-session":
              return storage.read(ofMember(founder))
            default:
              return Effect.succeed(configured(settings, founder))
          }
        }
        return Standing.of({
          now: (founder) =>
            Effect.map(left(founder), (may) => ({
              ...founder,
              permissions: new Set(founder.permissions.filter((permission) => may.has(permission)))
            }))
        })
      })
    )
}

/** What the environment gives: to a key by its name, to this machine, to everybody. */
const configured = (settings: AuthSettings, { authMethod, name }: Founder): ReadonlySet<Permission> => {
  switch (authMethod) {
    case "api-key": {
      const hasAdmin = settings.adminKey !== undefined || settings.apiKeys.length === 0
      const role =
        name === "admin" && hasAdmin ? "admin" : settings.apiKeys.find((key) => key.name === name)?.role
      return role === undefined ? nobody : permissionsOf(role)
    }
    case "localhost-bypass":
      return settings.localhostBypass ? permissionsOf(settings.localhostRole) : nobody
    case "auth-disabled":
      return settings.enabled ? nobody : permissionsOf("admin")
    default:
      return nobody
  }
}

/** The tokens of the same name that the same person has. */
const ofToken = ({ name, userId, workspaceId }: Founder) =>
  Effect.map(
    Effect.flatMap(now, allPrincipals),
    (principals): ReadonlySet<Permission> =>
      new Set(
        [...principals.values()].flatMap(({ actor, kind }) =>
          kind === "token" &&
          actor.name === name &&
          actor.userId === userId &&
          actor.workspaceId === workspaceId
            ? [...actor.permissions]
            : []
        )
      )
  )

/** A session ends and its work goes on, as long as the membership does. */
const ofMember = ({ userId, workspaceId }: Founder) =>
  Effect.map(membershipsOf(userId), (memberships) => {
    const membership = memberships.find((one) => one.workspaceId === workspaceId)
    return membership === undefined ? nobody : permissionsOf(membership.role)
  })
