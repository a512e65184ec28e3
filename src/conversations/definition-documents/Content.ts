import { Either } from "effect"
import { isDeeperThan } from "../../kernel/Json.ts"
import { redactText } from "../../kernel/Redaction.ts"
import { isClean } from "../../kernel/Text.ts"
import { type NostrEvent, valuesOf } from "../wire/NostrEvent.ts"
import { type Field, rejected, shownName } from "./Field.ts"
import { forbiddenBy } from "./Forbidden.ts"
import { limits } from "./Limits.ts"

/** The members of a definition by their names. */
export type Content = Readonly<Record<string, unknown>>

/**
 * The content of a definition, or what keeps all of it out: a limit that is exceeded, or something that is never
 * imported.
 */
export const contentOf = (event: NostrEvent): Either.Either<Content, ReadonlyArray<Field>> => {
  const faults = tagFaults(event)
  const parsed = parsedOf(event.content)
  if (Either.isLeft(parsed)) return Either.left([...faults, parsed.left])
  const all = [...faults, ...memberFaults(parsed.right)].slice(0, limits.rejected)
  return all.length === 0 ? Either.right(parsed.right) : Either.left(all)
}

const tagFaults = ({ tags }: NostrEvent): ReadonlyArray<Field> => {
  const faults: Array<Field> = []
  if (tags.length > limits.tags) faults.push(rejected("tags", `More than ${limits.tags} tags`))
  if (tags.some((tag) => tag.length > limits.tagItems || tag.some((item) => item.length > limits.tagItem)))
    faults.push(
      rejected("tags", `A tag of more than ${limits.tagItems} items, or one of ${limits.tagItem} characters`)
    )
  if (tags.some((tag) => tag.some(holdsSecret))) faults.push(rejected("tags", "Secrets are never imported"))
  if (valuesOf(tags, "d").length > 1) faults.push(rejected("d", "More than one d tag"))
  return faults
}

const parsedOf = (text: string): Either.Either<Content, Field> => {
  const refuse = (reason: string) => Either.left(rejected("content", reason))
  if (Buffer.byteLength(text) > limits.contentBytes) return refuse(`More than ${limits.contentBytes} bytes`)
  if (isDeeperThan(text, limits.depth)) return refuse(`Nested more than ${limits.depth} deep`)
  const value = jsonOf(text)
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Either.right(Object.fromEntries(Object.entries(value)))
    : refuse("No JSON object")
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const holdsSecret = (text: string): boolean => redactText(text) !== text

/** Every member at any depth is looked at, unknown ones too: what is never imported does not hide among them. */
const memberFaults = (content: Content): ReadonlyArray<Field> => {
  const faults: Array<Field> = []
  let keys = 0
  const look = (path: string, value: unknown): void => {
    if (faults.length >= limits.rejected) return
    if (typeof value === "string") {
      if (value.length > limits.text) faults.push(rejected(path, `More than ${limits.text} characters`))
      else if (!isClean(value)) faults.push(rejected(path, "No well-formed Unicode without NUL"))
      else if (holdsSecret(value)) faults.push(rejected(path, "Secrets are never imported"))
    } else if (Array.isArray(value)) {
      if (value.length > limits.items) faults.push(rejected(path, `More than ${limits.items} items`))
      else for (const [index, item] of value.entries()) look(`${path}[${index}]`, item)
    } else if (typeof value === "object" && value !== null) members(path, value)
  }
  const members = (path: string, value: object): void => {
    for (const [name, member] of Object.entries(value)) {
      keys += 1
      const shown = `${path === "" ? "" : `${path}.`}${shownName(name)}`.slice(0, 200)
      const what = forbiddenBy(name) ?? (holdsSecret(name) ? "Secrets" : undefined)
      if (what === undefined) look(shown, member)
      else if (faults.length < limits.rejected) faults.push(rejected(shown, `${what} are never imported`))
    }
  }
  members("", content)
  return keys > limits.keys ? [rejected("content", `More than ${limits.keys} members`), ...faults] : faults
}
