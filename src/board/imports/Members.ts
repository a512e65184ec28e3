import { Either } from "effect"
import type { Issue } from "../../kernel/Failures.ts"
import { isDeeperThan, maxDepth } from "../../kernel/Json.ts"

/** A line of a file as JSON, not understood yet. */
export type Members = Readonly<Record<string, unknown>>

/** Is this a JSON object? */
export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A fault of a line: where, and what was expected. It never repeats what was sent. */
export const fault = (path: string, message: string): Either.Either<never, Issue> =>
  Either.left({ path, message })

/** Reads a line as a JSON object. */
export const membersOf = (json: string): Either.Either<Members, Issue> => {
  if (isDeeperThan(json, maxDepth)) return fault("", `Expected at most ${maxDepth} levels of nesting`)
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? Either.right(value) : fault("", "Expected a JSON object")
  } catch {
    return fault("", "Expected valid JSON")
  }
}

/** Null and blank text say nothing, like a member that is missing. */
export const isSilent = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "string" && value.trim() === "")

/** A text or a number as a text, without the space around it. */
export const wordOf = (value: unknown): string | undefined => {
  const word = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : ""
  return word === "" ? undefined : word
}

/** The first member of these names that says something. */
export const firstOf = (
  members: Members,
  ...names: ReadonlyArray<string>
): { readonly name: string; readonly value: unknown } | undefined => {
  const name = names.find((candidate) => Object.hasOwn(members, candidate) && !isSilent(members[candidate]))
  return name === undefined ? undefined : { name, value: members[name] }
}

/** What the lists of these names say together. */
export const allOf = (
  read: (value: unknown) => ReadonlyArray<unknown>,
  members: Members,
  ...names: ReadonlyArray<string>
): ReadonlyArray<unknown> => [
  ...new Set(names.flatMap((name) => (isSilent(members[name]) ? [] : read(members[name]))))
]
