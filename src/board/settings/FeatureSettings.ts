import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import * as Journal from "../../storage/events/Journal.ts"
import { singleton } from "../../storage/Singleton.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { AdmissionSettings } from "./AdmissionSettings.ts"
import { SettingsUpdated } from "./Events.ts"
import {
  applyPatch,
  defaultFeatures,
  type Enforcement,
  type Features,
  type FeaturesPatch,
  inForce,
  StoredFeatures
} from "./Settings.ts"

const name = "features"

const features = singleton(name, StoredFeatures)

/** What was read before and is stored still: most units ask, and few change it. */
let known: { readonly stored: typeof StoredFeatures.Type; readonly settings: Features } | undefined

/** The settings as a unit of work sees them. */
export const current: Effect.Effect<Features, never, Sql> = Effect.map(features.read, (stored) => {
  if (stored === undefined) return defaultFeatures
  if (known?.stored !== stored) known = { stored, settings: inForce(stored) }
  return known.settings
})

/** Whether runs must commit where neither they nor their tasks say otherwise (ruling 58). */
export const autoCommit: Effect.Effect<boolean, never, Sql> = Effect.map(
  current,
  (settings) => settings.autoCommit === true
)

/** The gates as a unit of work sees them; none when they were removed. */
export const enforcement: Effect.Effect<Enforcement | undefined, never, Sql> = Effect.map(
  current,
  (settings) => settings.enforcement
)

/** How much may run at once and how the rest waits, as a unit of work sees it. */
export const admission: Effect.Effect<AdmissionSettings, never, Sql> = Effect.map(
  current,
  (settings) => settings.admission
)

/** For how long a claim holds that is made now, in milliseconds. */
export const claimDuration: Effect.Effect<number, never, Sql> = Effect.map(
  current,
  (settings) => settings.claims.minutes * 60_000
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
