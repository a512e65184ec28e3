import { AuthHttp } from "./auth/Http.ts"

/** The handlers of identity. */
export const IdentityHttp = AuthHttp
