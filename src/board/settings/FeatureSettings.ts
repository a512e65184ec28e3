import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { singleton } from "../../storage/Singleton.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { SettingsUpdated } from "./Events.ts"
import { applyPatch, defaultFeatures, type Enforcement, Features, type FeaturesPatch } from "./Settings.ts"

const name = "features"

const features = singleton(name, Features)

/** The settings as a unit of work sees them. */
export const current: Effect.Effect<Features, never, Sql> = Effect.map(
  features.read,
  (stored) => stored ?? defaultFeatures
)

/** The gates as a unit of work sees them; none when they were removed. */
export const enforcement: Effect.Effect<Enforcement | undefined, never, Sql> = Effect.map(
  current,
  (settings) => settings.enforcement
)

/** The feature settings of the board. */
export interface FeatureSettingsService {
  readonly get: Effect.Effect<Features>
  /** Takes effect with the next status change. A patch that names nothing writes nothing. */
  readonly patch: (patch: FeaturesPatch, by: ActorContext) => Effect.Effect<Features>
}

export class FeatureSettings extends Context.Tag("muster/FeatureSettings")<
  FeatureSettings,
  FeatureSettingsService
>() {
  static readonly layer = Layer.effect(
    FeatureSettings,
    Effect.map(Storage, (storage) =>
      FeatureSettings.of({
        get: storage.read(current),
        patch: Effect.fn("FeatureSettings.patch")((patch, by) => storage.write(patchSettings(patch, by)))
      })
    )
  )
}

const patchSettings = (patch: FeaturesPatch, by: ActorContext): Effect.Effect<Features, never, Sql> =>
  Effect.gen(function* () {
    const before = yield* current
    const fields = Object.keys(patch)
    if (fields.length === 0) return before
    const after = applyPatch(before, patch)
    yield* features.write(after)
    const gates = Object.keys(patch.enforcement ?? {})
    yield* Journal.record(new SettingsUpdated({ resourceId: name, fields, gates }), by)
    return after
  })
