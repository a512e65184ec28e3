import { Context, Effect, Layer, Redacted } from "effect"
import { SignJWT } from "jose"
import { type ActorContext, actorOf, anonymous, defaultWorkspace } from "../../kernel/Actor.ts"
import { newId } from "../../kernel/Ids.ts"
import { now } from "../../kernel/Time.ts"
import { hashOfToken, isTokenBehind, newToken } from "../../kernel/Token.ts"
import type { TooManyAttempts } from "../../kernel/TooManyAttempts.ts"
import type { Event } from "../../storage/events/Event.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { type SigningKey, SigningKeys } from "../keys/SigningKeys.ts"
import { NotAMember } from "../members/Errors.ts"
import { ownerId } from "../members/Member.ts"
import * as Memberships from "../members/Units.ts"
import type { Sender } from "../principals/Credentials.ts"
import { Principals } from "../principals/Principals.ts"
import { placeOf, Throttle } from "../principals/Throttle.ts"
import {
  EmailTaken,
  LoopbackOnly,
  PasswordRefused,
  SetupDoneBefore,
  SetupRequired,
  SetupUnproven
} from "./Errors.ts"
import {
  LoginFailed,
  OwnerLoggedIn,
  OwnerLoggedOut,
  OwnerSetUp,
  PasswordChanged,
  PasswordChangeRefused,
  PasswordRecovered,
  RecoveryFailed,
  SetupFailed
} from "./Events.ts"
import * as OwnerRepo from "./OwnerRepo.ts"
import type { LoggedIn, Login, PasswordChange, Recovery, Setup } from "./Password.ts"
import { sessionSeconds } from "./Password.ts"
import { hashPassword, matches } from "./PasswordHash.ts"
import { SetupCode } from "./SetupCode.ts"

/**
 * The password of the owner, which counts on this machine alone. Whoever goes away while a password is judged does not
 * stop it: a guess that failed is counted and audited.
 */
export interface PasswordsService {
  readonly isSetUp: Effect.Effect<boolean>
  /** Sets the first password, once, for whoever shows that they are the operator, and gives the recovery key. */
  readonly setup: (
    setup: Setup,
    from: Sender,
    by: ActorContext
  ) => Effect.Effect<string, LoopbackOnly | SetupDoneBefore | EmailTaken | SetupUnproven | TooManyAttempts>
  readonly login: (
    login: Login,
    from: Sender,
    by: ActorContext
  ) => Effect.Effect<LoggedIn, LoopbackOnly | SetupRequired | PasswordRefused | NotAMember | TooManyAttempts>
  /** Ends the session of the request, if it came with one. */
  readonly logout: (by: ActorContext) => Effect.Effect<void>
  /** Sets a new password by the recovery key, which is replaced; all sessions end. */
  readonly recover: (
    recovery: Recovery,
    from: Sender,
    by: ActorContext
  ) => Effect.Effect<string, LoopbackOnly | SetupRequired | PasswordRefused | TooManyAttempts>
  /** Sets a new password by the one before; all other sessions end. */
  readonly change: (
    change: PasswordChange,
    from: Sender,
    by: ActorContext
  ) => Effect.Effect<void, SetupRequired | PasswordRefused | TooManyAttempts>
}

export class Passwords extends Context.Tag("muster/Passwords")<Passwords, PasswordsService>() {
  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function* () {
      const storage = yield* Storage
      const principals = yield* Principals
      const throttle = yield* Throttle
      const keys = yield* SigningKeys
      const code = yield* SetupCode

      const isSetUp = Effect.map(storage.read(OwnerRepo.find), (found) => found !== undefined)
      const requireLocal = ({ local }: Sender) => (local ? Effect.void : new LoopbackOnly())
      /** The operator holds the admin key, or reads the code in the data directory (ruling 107). */
      const requireOperator = (setupCode: string | undefined, from: Sender, by: ActorContext) =>
        Effect.gen(function* () {
          if (by.authMethod === "api-key" && by.role === "admin") return
          if (setupCode === undefined) {
            const codeFile = yield* code.file
            return yield* new SetupUnproven({
              reason: "missing-proof",
              ...(codeFile === undefined ? {} : { codeFile })
            })
          }
          const place = placeOf(from.address, by)
          yield* throttle.attempt("setup", place)
          if (!(yield* code.fits(setupCode))) {
            yield* storage.write(Journal.note(new SetupFailed(about), anonymous))
            return yield* new SetupUnproven({ reason: "wrong-code" })
          }
          yield* throttle.succeeded("setup", place)
        })
      const requireOwner = Effect.filterOrFail(
        storage.read(OwnerRepo.find),
        (found) => found !== undefined,
        () => new SetupRequired()
      )
      const refuse = (field: PasswordRefused["field"], event: Event, by: ActorContext) =>
        Effect.zipRight(storage.write(Journal.note(event, by)), new PasswordRefused({ field }))

      return Passwords.of({
        isSetUp,
        setup: Effect.fn("Passwords.setup")(function* ({ password, setupCode, ...described }, from, by) {
          yield* requireLocal(from)
          if (yield* isSetUp) return yield* new SetupDoneBefore()
          yield* requireOperator(setupCode, from, by)
          const passwordHash = yield* hashPassword(Redacted.make(password))
          const recoveryKey = yield* newToken("recovery")
          const unit = Effect.gen(function* () {
            if ((yield* OwnerRepo.find) !== undefined) return yield* new SetupDoneBefore()
            yield* requireFree(described.email)
            yield* OwnerRepo.save({ passwordHash, recoveryHash: hashOfToken(recoveryKey) })
            yield* OwnerRepo.describe(described)
            yield* Journal.note(new OwnerSetUp(about), yield* owner)
          })
          yield* principals.change(unit)
          yield* code.useUp
          return recoveryKey
        }, Effect.uninterruptible),
        login: Effect.fn("Passwords.login")(function* ({ password }, from, by) {
          yield* requireLocal(from)
          const { passwordHash } = yield* requireOwner
          const place = placeOf(from.address, by)
          yield* throttle.attempt("login", place)
          if (!(yield* matches(passwordHash, Redacted.make(password)))) {
            return yield* refuse("password", new LoginFailed(about), anonymous)
          }
          yield* throttle.succeeded("login", place)
          const { session, token } = yield* newSession(keys.current())
          const unit = Effect.gen(function* () {
            // A password that was changed while this one was judged opens nothing.
            if ((yield* OwnerRepo.find)?.passwordHash !== passwordHash) {
              return yield* new PasswordRefused({ field: "password" })
            }
            const member = yield* Memberships.findMember(defaultWorkspace, { userId: ownerId })
            if (member === undefined) return yield* new NotAMember({ workspaceId: defaultWorkspace })
            yield* OwnerRepo.insertSession(session)
            yield* Journal.note(new OwnerLoggedIn(about), yield* owner)
            return member.role
          })
          const role = yield* principals.change(unit)
          return { token, role, expiresIn: sessionSeconds }
        }, Effect.uninterruptible),
        logout: Effect.fn("Passwords.logout")(({ sessionId, ...by }) =>
          sessionId === undefined
            ? Effect.void
            : principals.change(
                Effect.zipRight(
                  OwnerRepo.removeSession(sessionId),
                  Journal.note(new OwnerLoggedOut(about), by)
                )
              )
        ),
        recover: Effect.fn("Passwords.recover")(function* ({ newPassword, recoveryKey }, from, by) {
          yield* requireLocal(from)
          const { recoveryHash } = yield* requireOwner
          const place = placeOf(from.address, by)
          yield* throttle.attempt("recover", place)
          if (!isTokenBehind(recoveryHash, recoveryKey)) {
            return yield* refuse("recoveryKey", new RecoveryFailed(about), anonymous)
          }
          yield* throttle.succeeded("recover", place)
          const passwordHash = yield* hashPassword(Redacted.make(newPassword))
          const next = yield* newToken("recovery")
          const unit = Effect.gen(function* () {
            // Of two at once with the same key, one recovers: a key counts once.
            if ((yield* OwnerRepo.find)?.recoveryHash !== recoveryHash) {
              return yield* new PasswordRefused({ field: "recoveryKey" })
            }
            yield* OwnerRepo.save({ passwordHash, recoveryHash: hashOfToken(next) })
            yield* OwnerRepo.removeOtherSessions(undefined)
            yield* Journal.note(new PasswordRecovered(about), yield* owner)
          })
          yield* principals.change(unit)
          return next
        }, Effect.uninterruptible),
        change: Effect.fn("Passwords.change")(function* ({ currentPassword, newPassword }, from, by) {
          const { passwordHash: before } = yield* requireOwner
          const place = placeOf(from.address, by)
          yield* throttle.attempt("login", place)
          if (!(yield* matches(before, Redacted.make(currentPassword)))) {
            return yield* refuse("currentPassword", new PasswordChangeRefused(about), by)
          }
          yield* throttle.succeeded("login", place)
          const passwordHash = yield* hashPassword(Redacted.make(newPassword))
          const unit = Effect.gen(function* () {
            const current = yield* OwnerRepo.find
            if (current?.passwordHash !== before) {
              return yield* new PasswordRefused({ field: "currentPassword" })
            }
            yield* OwnerRepo.save({ ...current, passwordHash })
            yield* OwnerRepo.removeOtherSessions(by.sessionId)
            yield* Journal.note(new PasswordChanged(about), by)
          })
          yield* principals.change(unit)
        }, Effect.uninterruptible)
      })
    })
  )
}

/** Who is acting when somebody has proven to be the owner: by the name that the owner has. */
const owner: Effect.Effect<ActorContext, never, Sql> = Effect.map(Memberships.findUser(ownerId), (user) =>
  actorOf({ name: user?.displayName ?? "Owner", role: "admin", authMethod: "password-session" })
)

const requireFree = (email: string | undefined): Effect.Effect<void, EmailTaken, Sql> =>
  email === undefined
    ? Effect.void
    : Effect.flatMap(Memberships.findUserByEmail(email), (user) =>
        user === undefined || user.id === ownerId ? Effect.void : new EmailTaken()
      )

/** All of it is about the owner. Logins are no news for the stream or a hook: the audit chain alone remembers them. */
const about = { resourceId: ownerId }

/** A login and its token: signed, and known to storage by its hash, so that it can be ended. */
const newSession = (key: SigningKey) =>
  Effect.gen(function* () {
    const id = yield* newId("session")
    const createdAt = yield* now
    const expiresAt = createdAt + sessionSeconds * 1_000
    const jwt = new SignJWT()
      .setProtectedHeader({ alg: "HS256", kid: key.id })
      .setSubject(ownerId)
      .setJti(id)
      .setIssuedAt(Math.floor(createdAt / 1_000))
      .setExpirationTime(Math.floor(expiresAt / 1_000))
    const token = yield* Effect.promise(() => jwt.sign(new TextEncoder().encode(Redacted.value(key.secret))))
    const session: OwnerRepo.Session = {
      id,
      tokenHash: hashOfToken(token),
      signingKey: key.id,
      createdAt,
      expiresAt
    }
    return { session, token }
  })
