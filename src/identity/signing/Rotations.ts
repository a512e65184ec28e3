import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { Storage } from "../../storage/Storage.ts"
import type { SecretConfigured } from "../keys/Errors.ts"
import type { RotationStatus } from "../keys/Rotation.ts"
import { SigningKeys } from "../keys/SigningKeys.ts"
import { Principals } from "../principals/Principals.ts"
import { SecretRotated } from "./Events.ts"

/** How the signing secret is replaced. */
export interface RotationsService {
  readonly status: Effect.Effect<RotationStatus>
  readonly rotate: (by: ActorContext) => Effect.Effect<RotationStatus, SecretConfigured>
}

export class Rotations extends Context.Tag("muster/Rotations")<Rotations, RotationsService>() {
  static readonly layer = Layer.effect(
    Rotations,
    Effect.gen(function* () {
      const storage = yield* Storage
      const keys = yield* SigningKeys
      const principals = yield* Principals
      return Rotations.of({
        status: keys.status,
        rotate: Effect.fn("Rotations.rotate")(function* (by) {
          const status = yield* keys.rotate
          const { graceUntil, keyId } = status
          yield* storage.write(Journal.note(new SecretRotated({ resourceId: keyId, graceUntil }), by))
          yield* principals.refresh
          return status
        }, Effect.uninterruptible)
      })
    })
  )
}
