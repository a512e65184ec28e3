import { Schema } from "effect"
import { integer, strict } from "../../kernel/Text.ts"
import { change, changed, setting } from "./Chosen.ts"

/** Whether the watcher looks at continuations at all, says what it sees, or stops what it would not allow. */
const Mode = Schema.Literal("off", "observe", "enforce")
const Continuations = integer(0, 1_000_000)
const Spend = Schema.Number.pipe(
  Schema.between(0, 1_000_000_000, { message: () => "Expected an amount in USD, 0 or more" })
)

const standard = { mode: "observe", maxContinuations: 3, spendCapUsd: 50 } as const

/** The settings as they are stored; what does not stand there is at its default. */
export const StoredWatcher = Schema.Struct({
  mode: setting(Mode, standard.mode),
  maxContinuations: setting(Continuations, standard.maxContinuations),
  spendCapUsd: setting(Spend, standard.spendCapUsd)
})

/** What keeps runs from going on without end (spec 3-runs, watcher policies; README, ruling 87). */
export const WatcherSettings = Schema.typeSchema(StoredWatcher).annotations({ identifier: "WatcherSettings" })
export type WatcherSettings = typeof WatcherSettings.Type

export const defaultWatcher: WatcherSettings = standard

/** A change of the settings: what it names changes, null brings the default back; an unknown name is refused. */
export const WatcherPatch = Schema.Struct({
  mode: change(Mode),
  maxContinuations: change(Continuations),
  spendCapUsd: change(Spend)
}).annotations({ identifier: "WatcherPatch", ...strict })
export type WatcherPatch = typeof WatcherPatch.Type

/** The settings with a patch applied. */
export const applyWatcherPatch = (
  before: WatcherSettings,
  patch: WatcherPatch | null | undefined
): WatcherSettings => changed(before, patch, standard)
