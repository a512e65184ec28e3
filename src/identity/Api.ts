import { HttpApi } from "@effect/platform"
import { AuthApi } from "./auth/Api.ts"

/** The groups of identity. */
export const IdentityApi = HttpApi.make("muster").add(AuthApi)
