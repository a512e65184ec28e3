import { marker } from "./signs/Marker.ts"
import { isSecretName, kindOf } from "./signs/SecretName.ts"

type Entry = readonly [key: string | number, value: unknown]

/** An array or object during the walk: its members before and after redaction. */
interface Frame {
  readonly source: object
  readonly key: string | number
  readonly members: ReadonlyArray<Entry>
  readonly visible: ReadonlyArray<Entry>
  readonly result: Array<Entry>
}

const isText = (value: unknown): value is string => typeof value === "string"

/** A value under a secret name: only an empty value, a flag or a count is kept. */
const hidden = (name: string, value: unknown): unknown => {
  const kind = kindOf(name)
  if (
    kind === undefined ||
    value === null ||
    value === undefined ||
    value === "" ||
    typeof value === "boolean"
  )
    return value
  if (kind === "plural") return isText(value) || (Array.isArray(value) && value.some(isText)) ? marker : value
  if (typeof value === "number") return kind === "strong" ? marker : value
  if (isText(value) && /^(?:old)?pwd$/i.test(name) && /^[/~.]|^[A-Za-z]:\\/.test(value)) return value
  return marker
}

/** `["--password", "hunter2"]`: an argument after its flag. */
const afterFlag = (members: ReadonlyArray<Entry>, index: number, value: unknown): unknown => {
  const flag = isText(value) ? members[index - 1]?.[1] : undefined
  return isText(flag) && /^--?[A-Za-z][\w-]{1,60}$/.test(flag) ? hidden(flag, value) : value
}

/** `{ "name": "Authorization", "value": "…" }`: a pair that is spelled out. */
const pairName = (members: ReadonlyArray<Entry>): string | undefined => {
  const name = members.find(([key]) => key === "name" || key === "key" || key === "header")?.[1]
  return isText(name) && isSecretName(name) ? name : undefined
}

const visibleIn = (source: object, members: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  if (Array.isArray(source))
    return members.map(([key, value], index) => [key, afterFlag(members, index, value)])
  const pair = pairName(members)
  return members.map(([key, value]) => [
    key,
    hidden(pair !== undefined && key === "value" ? pair : String(key), value)
  ])
}

const open = (source: object, key: string | number): Frame => {
  const members: ReadonlyArray<Entry> = Array.isArray(source) ? [...source.entries()] : Object.entries(source)
  return { source, key, members, visible: visibleIn(source, members), result: [] }
}

/** An object of own properties only, `__proto__` included. When two keys become the same, the second is numbered. */
const fromEntries = (entries: ReadonlyArray<Entry>): object => {
  const used = new Map<string, number>()
  return Object.fromEntries(
    entries.map(([key, value]) => {
      const copies = (used.get(String(key)) ?? 0) + 1
      used.set(String(key), copies)
      return [copies === 1 ? key : `${key} ${copies}`, value]
    })
  )
}

const close = ({ members, result, source }: Frame): object => {
  if (result.every(([key, value], index) => key === members[index]?.[0] && value === members[index]?.[1]))
    return source
  return Array.isArray(source) ? result.map(([, value]) => value) : fromEntries(result)
}

/**
 * Takes the secrets out of a JSON value. It has a stack of its own: nesting is limited by memory, not by the call
 * stack.
 */
export const redactValue = (value: unknown, redactText: (text: string) => string): unknown => {
  if (isText(value)) return redactText(value)
  if (typeof value !== "object" || value === null) return value
  const stack: Array<Frame> = [open(value, "")]
  for (;;) {
    const frame = stack.at(-1)
    if (frame === undefined) return value
    const entry = frame.visible[frame.result.length]
    if (entry === undefined) {
      const result = close(frame)
      stack.pop()
      const parent = stack.at(-1)
      if (parent === undefined) return result
      parent.result.push([frame.key, result])
      continue
    }
    const key = isText(entry[0]) ? redactText(entry[0]) : entry[0]
    const member = entry[1]
    if (typeof member === "object" && member !== null) stack.push(open(member, key))
    else frame.result.push([key, isText(member) && member !== marker ? redactText(member) : member])
  }
}
