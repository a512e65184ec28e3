import type { HttpServerRequest } from "@effect/platform/HttpServerRequest"
import { type Effect, Option } from "effect"
import type { Auth } from "../identity/auth/Auth.ts"
import { credentialsOf } from "../identity/principals/Credentials.ts"
import type { ActorContext } from "../kernel/Actor.ts"
import type { Unauthenticated } from "../kernel/Authorization.ts"
import { isFromHere } from "../kernel/Locality.ts"

/** Who sends a request. */
export const callerOf = (
  { authenticate }: typeof Auth.Service,
  { headers, method, remoteAddress }: HttpServerRequest
): Effect.Effect<ActorContext, Unauthenticated> =>
  authenticate(credentialsOf(method, headers, Option.getOrUndefined(remoteAddress)))

/** Whether it is sent on this machine. */
export const isCalledFromHere = ({ headers, remoteAddress }: HttpServerRequest): boolean =>
  isFromHere(headers, Option.getOrUndefined(remoteAddress))
