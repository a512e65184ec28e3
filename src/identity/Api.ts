import * as HttpApi from "@effect/platform/HttpApi"
import { AuthApi } from "./auth/Api.ts"
import { DevicesApi } from "./devices/Api.ts"
import { InvitationsApi } from "./invitations/Api.ts"
import { MembersApi } from "./members/Api.ts"
import { PasswordsApi } from "./passwords/Api.ts"
import { SigningApi } from "./signing/Api.ts"
import { TokensApi } from "./tokens/Api.ts"

/** The groups of identity. */
export const IdentityApi = HttpApi.make("muster")
  .add(AuthApi)
  .add(DevicesApi)
  .add(InvitationsApi)
  .add(MembersApi)
  .add(PasswordsApi)
  .add(SigningApi)
  .add(TokensApi)
