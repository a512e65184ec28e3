import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { Circuits } from "../../kernel/outbound/Circuits.ts"
import { now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { Storage } from "../../storage/Storage.ts"
import * as CircuitRepo from "./CircuitRepo.ts"
import { type CircuitOverrideDraft, type CircuitReport, reportOf } from "./CircuitReport.ts"
import { CircuitNotFound, CircuitOverrideLimitReached, CircuitOverrideNotFound } from "./Errors.ts"
import { CircuitOverridden, CircuitOverrideCleared, CircuitReset } from "./Events.ts"

/** The most circuits that are overridden at once. */
export const overrideLimit = 100

/** An operator's hand on the circuits of the outbound dependencies (spec 1-core, Health). */
export interface CircuitControlService {
  readonly all: Effect.Effect<ReadonlyArray<CircuitReport>>
  /** Forgets the evidence of a circuit, so that it closes; an override stays. */
  readonly reset: (
    key: string,
    reason: string,
    by: ActorContext
  ) => Effect.Effect<CircuitReport, CircuitNotFound>
  /** Lets everything or nothing through a circuit for a time; an earlier override is replaced. */
  readonly override: (
    key: string,
    draft: CircuitOverrideDraft,
    by: ActorContext
  ) => Effect.Effect<CircuitReport, CircuitOverrideLimitReached>
  readonly clearOverride: (key: string, by: ActorContext) => Effect.Effect<void, CircuitOverrideNotFound>
}

export class CircuitControl extends Context.Tag("muster/CircuitControl")<
  CircuitControl,
  CircuitControlService
>() {
  /** Overrides outlive a restart: a dependency that was blocked must not be called because the server came back. */
  static readonly layer = Layer.effect(
    CircuitControl,
    Effect.gen(function* () {
      const storage = yield* Storage
      const circuits = yield* Circuits
      // Storage and the circuits change together, one change after another.
      const turn = yield* Effect.makeSemaphore(1)
      const alone = <A, E>(change: Effect.Effect<A, E>) => Effect.uninterruptible(turn.withPermits(1)(change))

      for (const { key, ...override } of yield* storage.read(Effect.flatMap(now, CircuitRepo.overrides))) {
        yield* circuits.override(key, override)
      }

      const all = Effect.gen(function* () {
        const at = yield* now
        const resets = yield* storage.read(CircuitRepo.resets)
        return (yield* circuits.all).map((circuit) => reportOf(circuit, at, resets.get(circuit.key)))
      })
      const reportFor = (key: string) =>
        Effect.flatMap(all, (reports) =>
          Effect.fromNullable(reports.find((report) => report.key === key)).pipe(
            Effect.mapError(() => new CircuitNotFound({ circuitKey: key }))
          )
        )

      return CircuitControl.of({
        all,
        reset: Effect.fn("CircuitControl.reset")(function* (key, reason, by) {
          const change = Effect.gen(function* () {
            const { failures, state } = yield* reportFor(key)
            const at = yield* now
            yield* storage.write(
              Effect.zipRight(
                CircuitRepo.noteReset(key, { reason, at, actor: by.name }),
                Journal.record(new CircuitReset({ resourceId: key, state, failures }), by)
              )
            )
            yield* circuits.reset(key)
          })
          yield* alone(change)
          return yield* reportFor(key)
        }),
        override: Effect.fn("CircuitControl.override")(function* (
          key,
          { durationSeconds, mode, reason },
          by
        ) {
          const change = Effect.gen(function* () {
            const at = yield* now
            const override = { mode, reason, until: at + durationSeconds * 1_000, by: by.name }
            const unit = Effect.gen(function* () {
              if ((yield* CircuitRepo.countOthers(key, at)) >= overrideLimit) {
                return yield* new CircuitOverrideLimitReached({ limit: overrideLimit })
              }
              yield* CircuitRepo.setOverride(key, override, at)
              yield* Journal.record(new CircuitOverridden({ resourceId: key, mode, durationSeconds }), by)
            })
            yield* storage.write(unit)
            const circuit = yield* circuits.override(key, override)
            return reportOf(circuit, at, (yield* storage.read(CircuitRepo.resets)).get(key))
          })
          return yield* alone(change)
        }),
        clearOverride: Effect.fn("CircuitControl.clearOverride")(function* (key, by) {
          const unit = Effect.gen(function* () {
            if (!(yield* CircuitRepo.clearOverride(key, yield* now))) {
              return yield* new CircuitOverrideNotFound({ circuitKey: key })
            }
            yield* Journal.record(new CircuitOverrideCleared({ resourceId: key }), by)
          })
          yield* alone(Effect.zipRight(storage.write(unit), circuits.override(key, undefined)))
        })
      })
    })
  )
}
