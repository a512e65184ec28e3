import { Layer } from "effect"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Sight.ts"
import { Auth, type AuthSettings } from "./auth/Auth.ts"
import { AuthHttp } from "./auth/Http.ts"
import { Denials } from "./Denials.ts"
import { Devices } from "./devices/Devices.ts"
import { DevicesHttp } from "./devices/Http.ts"
import * as Device from "./devices/Units.ts"
import { InvitationsHttp } from "./invitations/Http.ts"
import { Invitations } from "./invitations/Invitations.ts"
import * as Invitation from "./invitations/Units.ts"
import { SigningKeys } from "./keys/SigningKeys.ts"
import { MembersHttp } from "./members/Http.ts"
import { Members } from "./members/Members.ts"
import * as Member from "./members/Units.ts"
import { PasswordsHttp } from "./passwords/Http.ts"
import { Passwords } from "./passwords/Passwords.ts"
import { SetupCode } from "./passwords/SetupCode.ts"
import * as Password from "./passwords/Units.ts"
import { Principals } from "./principals/Principals.ts"
import { Throttle } from "./principals/Throttle.ts"
import type { RevocationEffects } from "./revocations/Application.ts"
import { Revocations } from "./revocations/Revocations.ts"
import { Standing } from "./Standing.ts"
import { SigningHttp } from "./signing/Http.ts"
import { Rotations } from "./signing/Rotations.ts"
import { ApiTokens } from "./tokens/ApiTokens.ts"
import { TokensHttp } from "./tokens/Http.ts"
import * as Token from "./tokens/Units.ts"

/** The handlers of identity. */
export const IdentityHttp = Layer.mergeAll(
  AuthHttp.pipe(seeing(Authorization, Auth, Passwords)),
  DevicesHttp.pipe(seeing(Authorization, Devices)),
  InvitationsHttp.pipe(seeing(Authorization, Invitations)),
  MembersHttp.pipe(seeing(Authorization, Members)),
  PasswordsHttp.pipe(seeing(Authorization, Passwords)),
  SigningHttp.pipe(seeing(Authorization, Rotations)),
  TokensHttp.pipe(seeing(Authorization, ApiTokens))
)

/** What is revoked again when an older copy of the board comes back, by the rooms that know how. */
export const revocationEffects: RevocationEffects = {
  ...Token.revocationEffects,
  ...Device.revocationEffects,
  ...Invitation.revocationEffects,
  ...Password.revocationEffects,
  ...Member.revocationEffects
}

/** The services of identity: who may come in, and everything that changes it. */
export const Identity = (settings: AuthSettings) =>
  Layer.mergeAll(
    Auth.layer(settings),
    Denials.layer,
    Devices.layer,
    Invitations.layer,
    Members.layer,
    Passwords.layer,
    Rotations.layer,
    Standing.layer(settings),
    ApiTokens.layer
  ).pipe(
    Layer.provideMerge(Layer.merge(Principals.layer, SetupCode.layer)),
    Layer.provide([
      Revocations.layer(revocationEffects),
      SigningKeys.layer(settings.signingSecret),
      Throttle.layer
    ])
  )
