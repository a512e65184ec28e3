import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Seeing.ts"
import { Auth } from "./auth/Auth.ts"
import { AuthHttp } from "./auth/Http.ts"

/** The handlers of identity. */
export const IdentityHttp = AuthHttp.pipe(seeing(Authorization, Auth))
