import { Clock, Context, Effect, Layer, type Redacted } from "effect"
import { type ActorContext, actorOf, anonymous } from "../../kernel/Actor.ts"
import { Unauthenticated } from "../../kernel/Authorization.ts"
import { holdSecrets } from "../../kernel/HeldSecrets.ts"
import type { Role } from "../../kernel/Permission.ts"
import { Storage } from "../../storage/Storage.ts"
import { bearerOf, type Credentials, mayUseCookie, sessionOf } from "../principals/Credentials.ts"
import { Principals } from "../principals/Principals.ts"
import { adminKeyFile, ensureAdminKey } from "./AdminKey.ts"
import { type ApiKey, keyring } from "./ApiKeys.ts"

/** How authentication is configured. */
export interface AuthSettings {
  readonly enabled: boolean
  readonly adminKey: Redacted.Redacted | undefined
  readonly apiKeys: ReadonlyArray<ApiKey>
  readonly localhostBypass: boolean
  readonly localhostRole: Role
  /** The secret that signs sessions and pairing payloads; without it the server makes its own. */
  readonly signingSecret: Redacted.Redacted | undefined
}

export interface AuthService {
  readonly enabled: boolean
  /** Where the admin key lies that the first start made; absent when keys are configured. */
  readonly adminKeyFile: string | undefined
  /** The actor of an API key of the environment: for the shortest way to a read. */
  readonly byApiKey: (key: string) => ActorContext | undefined
  /**
   * Who sends this request. An explicit credential comes first and is never replaced by anything when it is not valid
   * (spec decisions Q52): an API key or token, a device's bearer token, the owner's session cookie. Without one, the
   * bypass for this machine and then disabled authentication decide.
   */
  readonly authenticate: (credentials: Credentials) => Effect.Effect<ActorContext, Unauthenticated>
}

export class Auth extends Context.Tag("muster/Auth")<Auth, AuthService>() {
  static readonly layer = (settings: AuthSettings) =>
    Layer.scoped(
      Auth,
      Effect.gen(function* () {
        const { directory } = yield* Storage
        const principals = yield* Principals
        const generated =
          settings.enabled && settings.adminKey === undefined && settings.apiKeys.length === 0
            ? yield* ensureAdminKey(directory)
            : undefined
        const generatedFile = generated === undefined ? undefined : adminKeyFile(directory)
        const adminKey = settings.adminKey ?? generated
        const keys = keyring([
          ...(adminKey === undefined ? [] : [{ name: "admin", key: adminKey, role: "admin" as const }]),
          ...settings.apiKeys
        ])
        yield* holdSecrets([
          ...(adminKey === undefined ? [] : [adminKey]),
          ...settings.apiKeys.map(({ key }) => key),
          ...(settings.signingSecret === undefined ? [] : [settings.signingSecret])
        ])
        const bypass = actorOf({
          name: "localhost",
          role: settings.localhostRole,
          authMethod: "localhost-bypass"
        })
        const everybody = actorOf({ name: "local", role: "admin", authMethod: "auth-disabled" })
        const refuse = (reason: Unauthenticated["reason"], local: boolean) =>
          Effect.fail(new Unauthenticated({ reason, remedy: remedyFor(local ? generatedFile : undefined) }))

        return Auth.of({
          enabled: settings.enabled,
          adminKeyFile: generatedFile,
          byApiKey: keys.find,
          authenticate: (given) =>
            Effect.flatMap(Clock.currentTimeMillis, (at) => {
              const { apiKey, authorization, local } = given
              const orRefuse = (actor: ActorContext | undefined) =>
                actor === undefined ? refuse("invalid-credential", local) : Effect.succeed(actor)
              if (apiKey !== undefined) {
                return orRefuse(keys.find(apiKey) ?? principals.find("token", apiKey, at)?.actor)
              }
              if (authorization !== undefined) {
                const token = bearerOf(authorization)
                return orRefuse(token === undefined ? undefined : principals.find("device", token, at)?.actor)
              }
              const session = sessionOf(given.cookie)
              if (session !== undefined) {
                return orRefuse(
                  mayUseCookie(given) ? principals.find("session", session, at)?.actor : undefined
                )
              }
              if (settings.localhostBypass && local) return Effect.succeed(bypass)
              return settings.enabled ? refuse("missing-credential", local) : Effect.succeed(everybody)
            })
        })
      })
    )
}

/** How to get past a 401. Where the key lies is told to this machine alone. */
const remedyFor = (keyFile: string | undefined): string =>
  keyFile === undefined
    ? "Send a key in X-API-Key. SERVICE_ADMIN_KEY and SERVICE_API_KEYS configure keys; without them the first start writes one to admin-key in the data directory"
    : `The key of this board is in ${keyFile}: curl -H "X-API-Key: $(cat ${keyFile})" ...`

/** The actor of a public route: whoever it is, or nobody. */
export const orAnonymous = <E>(actor: Effect.Effect<ActorContext, E>): Effect.Effect<ActorContext> =>
  Effect.orElseSucceed(actor, () => anonymous)
