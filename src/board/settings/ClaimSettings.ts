import { Schema } from "effect"
import { integer, strict } from "../../kernel/Text.ts"
import { change, changed, setting } from "./Chosen.ts"

const standard = { minutes: 30 } as const

/** A minute to a day. */
const Minutes = integer(1, 1_440).annotations({
  description: "For how long a claim of a task holds without a word from who made it"
})

/** The settings as they are stored; what does not stand there is at its default. */
export const StoredClaims = Schema.Struct({ minutes: setting(Minutes, standard.minutes) })

/** For how long who claims a task holds it. A claim keeps what was set when it was made. */
export const ClaimSettings = Schema.typeSchema(StoredClaims).annotations({ identifier: "ClaimSettings" })
export type ClaimSettings = typeof ClaimSettings.Type

export const defaultClaims: ClaimSettings = standard

/** A change of the settings: null brings the default back; an unknown name is refused. */
export const ClaimsPatch = Schema.Struct({ minutes: change(Minutes) }).annotations({
  identifier: "ClaimsPatch",
  ...strict
})
export type ClaimsPatch = typeof ClaimsPatch.Type

/** The settings with a patch applied. */
export const applyClaimsPatch = (
  before: ClaimSettings,
  patch: ClaimsPatch | null | undefined
): ClaimSettings => changed(before, patch, standard)
