import * as HttpApi from "@effect/platform/HttpApi"
import { AuthApi } from "./auth/Api.ts"

/** The groups of identity. */
export const IdentityApi = HttpApi.make("muster").add(AuthApi)
