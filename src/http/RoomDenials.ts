import type { HttpServerRequest } from "@effect/platform/HttpServerRequest"
import { Effect } from "effect"
import { Auth } from "../identity/auth/Auth.ts"
import { Denials } from "../identity/Denials.ts"
import type { Lack } from "../identity/Events.ts"
import { GrantTooWide } from "../identity/principals/GrantLimit.ts"
import { FieldsDenied } from "../kernel/FieldRights.ts"
import { callerOf } from "./Caller.ts"
import { EdgeRequest } from "./EdgeRequest.ts"

/** Which rights a room missed, when that is why it refused: not all depends on the route, some on what the body says. */
const missingIn = (failure: unknown): Lack | undefined => {
  if (failure instanceof FieldsDenied) {
    const { fields, requiredPermission } = failure
    return { requiredPermission, fields }
  }
  if (failure instanceof GrantTooWide) {
    const { missing, role } = failure
    return { role, missing }
  }
  return undefined
}

/**
 * Notes what rooms refuse for want of rights, as the authorization notes what it refuses itself (decision Q62): no room
 * can forget it. It costs nothing where nothing is refused; then the caller is looked up once more.
 */
export const makeNote = Effect.gen(function* () {
  const auth = yield* Auth
  const denials = yield* Denials
  return (failure: unknown, request: HttpServerRequest): Effect.Effect<void> => {
    const lack = missingIn(failure)
    const route = request instanceof EdgeRequest ? request.route : undefined
    return lack === undefined || route === undefined
      ? Effect.void
      : Effect.ignore(Effect.map(callerOf(auth, request), (by) => denials.note({ by, route, lack })))
  }
})
