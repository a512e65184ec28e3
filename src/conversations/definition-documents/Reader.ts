import { isClean } from "../../kernel/Text.ts"
import type { Content } from "./Content.ts"
import { type Field, ignored, mapped, nothing, type Read, rejected, shownName } from "./Field.ts"

/** How a text is read: where it goes, how long it may be, and whether it must be there. */
interface TextRule {
  readonly target: string
  readonly most: number
  readonly required?: true
  /** It has several lines, and stays as it is; others are trimmed. */
  readonly lines?: true
  readonly reason: string
}

const isSingleLine = (text: string): boolean => !/\p{Cc}|\p{Zl}|\p{Zp}/u.test(text)

/** Reads a text. An empty one counts as absent. */
export const readText = (content: Content, name: string, rule: TextRule): Read<string> => {
  const { lines, most, reason, required, target } = rule
  const found = own(content, name)
  const refuse = (why: string): Read<string> => ({ value: undefined, fields: [rejected(name, why)] })
  if (found === undefined || found === null) return required ? refuse("It is missing") : nothing
  if (typeof found !== "string" || !isClean(found)) return refuse("No text")
  const text = lines ? found : found.trim()
  if (text.trim() === "") return required ? refuse("It is blank") : nothing
  if (text.length > most) return refuse(`More than ${most} characters`)
  return lines || isSingleLine(text)
    ? { value: text, fields: [mapped(name, target, reason)] }
    : refuse("More than one line")
}

/** How a list of texts is read. */
interface ListRule {
  readonly target: string
  readonly most: number
  readonly item: (text: string) => boolean
  /** Which items the list may hold. */
  readonly items: string
  readonly reason: string
}

/** Reads a list of texts, each of them once. */
export const readList = (content: Content, name: string, rule: ListRule): Read<ReadonlyArray<string>> => {
  const found = own(content, name)
  const refuse = (why: string) => ({ value: undefined, fields: [rejected(name, why)] })
  if (found === undefined || found === null) return nothing
  if (!Array.isArray(found)) return refuse("No list")
  if (found.length > rule.most) return refuse(`More than ${rule.most} items`)
  const texts = found.flatMap((item) => (typeof item === "string" ? [item.trim()] : []))
  return texts.length === found.length && texts.every((text) => isSingleLine(text) && rule.item(text))
    ? { value: [...new Set(texts)], fields: [mapped(name, rule.target, rule.reason)] }
    : refuse(`An item that is not ${rule.items}`)
}

/** The members that nobody here knows. */
export const unknownFields = (content: Content, known: ReadonlySet<string>): ReadonlyArray<Field> =>
  Object.keys(content)
    .filter((name) => !known.has(name))
    .map((name) =>
      ignored(shownName(name), "Unknown here: a later version of the format may have brought it")
    )

export const own = (content: Content, name: string): unknown =>
  Object.hasOwn(content, name) ? content[name] : undefined
