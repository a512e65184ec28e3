import { Context, Effect, Layer, type Scope } from "effect"

/**
 * The attempts that live in this process. What they hold is renewed as long as their scope is open, whatever a clock
 * says: a machine that slept does not take the capacity of a run that goes on.
 */
export interface HoldersService {
  /** Keeps what an attempt holds until the scope closes. */
  readonly hold: (attemptId: string) => Effect.Effect<void, never, Scope.Scope>
  /** Those that live now. */
  readonly living: Effect.Effect<ReadonlyArray<string>>
}

export class Holders extends Context.Tag("muster/Holders")<Holders, HoldersService>() {
  static readonly layer = Layer.sync(Holders, () => {
    // An attempt may be held by several scopes at once: its process, and whoever talks to it.
    const held = new Map<object, string>()
    return Holders.of({
      hold: (attemptId) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const hold = {}
            held.set(hold, attemptId)
            return hold
          }),
          (hold) => Effect.sync(() => held.delete(hold))
        ),
      living: Effect.sync(() => [...new Set(held.values())])
    })
  })
}
