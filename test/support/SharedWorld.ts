import { afterAll } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { type WorldOptions, world } from "./World.ts"

/**
 * One world for the tests of a file, or of a `describe`: built with the first test that asks for it, closed after the
 * last. For tests that find what they themselves put there, whatever else is there.
 */
export const sharedWorld = (options: WorldOptions = {}) => {
  const scope = Effect.runSync(Scope.make())
  const services = Effect.runSync(Effect.cached(Layer.buildWithScope(world(options), scope)))
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Layer.effectContext(services)
}
