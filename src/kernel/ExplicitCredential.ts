import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import { Schema } from "effect"
import * as Envelope from "./Envelope.ts"

/**
 * The caller would have the permission, but showed no credential: the request was let in because of where it came from.
 */
export class ExplicitCredentialNeeded extends Schema.TaggedError<ExplicitCredentialNeeded>()(
  "ExplicitCredentialNeeded",
  { authMethod: Schema.Literal("auth-disabled", "localhost-bypass") }
) {}

/**
 * Sits on endpoints that nobody may use without a credential of their own, not even as the implicit admin of a server
 * without authentication or behind the bypass for this machine (spec 1-core, Journal-mode maintenance). It runs before
 * anything of the request is read.
 */
export class ExplicitCredential extends HttpApiMiddleware.Tag<ExplicitCredential>()(
  "muster/ExplicitCredential",
  {
    failure: Envelope.general(ExplicitCredentialNeeded, {
      status: 403,
      code: "PERMISSION_DENIED",
      message: () =>
        "This needs a credential of its own: send an admin's key in X-API-Key, on a server with SERVICE_AUTH_ENABLED=true"
    })
  }
) {}
