/*
 * Lists as they come out of other boards: a text instead of a list, a whole list inside of one text, quotes that were
 * kept by mistake.
 */

const isBracketed = (text: string): boolean => text.startsWith("[") && text.endsWith("]")

const isMoreThanAWord = (member: unknown): boolean =>
  typeof member === "string" || (typeof member === "object" && member !== null)

const quotes = /^(["'`])(.*)\1$/s

const unquoted = (text: string): string => {
  const trimmed = text.trim()
  return (quotes.exec(trimmed)?.[2] ?? trimmed).trim()
}

/** A list in JSON that has a text or more in it; `[1.0, true]` are words without quotes, and stay as they are written. */
const parsedList = (text: string): ReadonlyArray<unknown> | undefined => {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) && parsed.some(isMoreThanAWord) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** The members of a text that was meant as one: `["cli", "setup"]` and `[cli, setup]` are lists in disguise. */
const membersOf = (text: string): ReadonlyArray<unknown> => {
  const trimmed = text.trim()
  if (!isBracketed(trimmed)) return [unquoted(trimmed)]
  return parsedList(trimmed) ?? trimmed.slice(1, -1).split(",").map(unquoted)
}

/**
 * Reads a list of texts. A text instead of a list separates its members by commas; numbers count as texts; blank
 * members and repetitions are dropped. Members of other kinds stay as they are, for the schema to refuse.
 */
export const looseList = (value: unknown): ReadonlyArray<unknown> => {
  const members =
    typeof value === "string"
      ? isBracketed(value.trim())
        ? membersOf(value)
        : value.split(",").map(unquoted)
      : Array.isArray(value)
        ? value.flatMap((member: unknown) => (typeof member === "string" ? membersOf(member) : [member]))
        : [value]
  const texts = members.map((member) => (typeof member === "number" ? String(member) : member))
  return [...new Set(texts)].filter((member) => member !== "" && member !== null)
}

/** Reads a list of names; a leading `@` is how a name is mentioned, no part of it. */
export const looseNames = (value: unknown): ReadonlyArray<unknown> => [
  ...new Set(
    looseList(value)
      .map((name) => (typeof name === "string" ? name.replace(/^@+/, "").trim() : name))
      .filter((name) => name !== "")
  )
]
