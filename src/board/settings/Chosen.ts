import { Either, Schema } from "effect"
import { optional } from "../../kernel/Optional.ts"

/*
 * Settings that have a default each. What is stored is read setting by setting, because earlier versions took anything:
 * a setting that is missing, or whose value would not be taken today, is at its default.
 */

/** A setting with its default. */
export const setting = <A, I>(kind: Schema.Schema<A, I>, standard: NoInfer<A>) =>
  Schema.optionalWith(kind.annotations({ decodingFallback: () => Either.right(standard) }), {
    default: () => standard
  })

/** A change of one setting: its new value, or null to clear it. */
export const change = <A, I>(kind: Schema.Schema<A, I>) => optional(Schema.NullOr(kind))

/** What a patch may say of settings: for each of them a value, or null to clear it. */
export type Changes<A> = { readonly [Name in keyof A]?: A[Name] | null }

/** Settings with those changed that a patch names; a cleared one gets back what it is without a choice. */
export const changed = <A extends object>(before: A, patch: Changes<A> | null | undefined, cleared: A): A => {
  if (patch === undefined) return before
  if (patch === null) return cleared
  const after = { ...before }
  for (const name in patch) {
    const value = patch[name]
    // The names of a patch are names of settings.
    const key: keyof A = name as keyof A
    if (value !== undefined) after[key] = value === null ? cleared[key] : (value as A[keyof A])
  }
  return after
}
