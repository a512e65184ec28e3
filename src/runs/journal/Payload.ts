import { clip } from "../../kernel/Characters.ts"
import { canonicalize, digestOf } from "../../kernel/Digest.ts"
import { isDeeperThan, maxDepth } from "../../kernel/Json.ts"
import { marker, redactJson, redactText } from "../../kernel/Redaction.ts"
import type { Redaction } from "./RunEvent.ts"

/** What an adapter has to say: a kind, and a payload that is any JSON. */
export interface RunFact {
  readonly kind: string
  readonly payload: unknown
  /** The conversation that it was said in, when that is no longer the one that the journal was opened with. */
  readonly sessionId?: string
}

/** How many bytes of JSON an event holds; more of them are an artifact (ruling 84). */
export const inlineLimit = 16_384

/** How many bytes one payload may have. To take the secrets out of this many takes a fifth of a second. */
export const payloadLimit = 8_388_608

/** How many bytes of payloads are stored for an attempt, in events and in artifacts. */
export const attemptLimit = 64 * 1_048_576

/** What becomes of a payload: it stands in its event, or is an artifact, or is dropped. */
export type Kept =
  | { readonly _tag: "Inline"; readonly redaction: Redaction; readonly json: string; readonly hash: string }
  | {
      readonly _tag: "Output"
      readonly status: Redaction["status"]
      readonly fields: ReadonlyArray<string>
      readonly originalBytes: number
      readonly output: Output
    }
  | { readonly _tag: "Dropped"; readonly originalBytes: number }

/** An output for an artifact: text as it was written, or the JSON of a payload. */
export interface Output {
  readonly media: "text" | "json"
  readonly bytes: Buffer
  readonly originalBytes: number
  /** What the event says besides. */
  readonly rest: { readonly stream?: string; readonly partial?: true }
}

const isOutput = (
  payload: unknown
): payload is { readonly stream: string; readonly text: string; readonly partial?: unknown } =>
  typeof payload === "object" &&
  payload !== null &&
  "text" in payload &&
  typeof payload.text === "string" &&
  "stream" in payload &&
  typeof payload.stream === "string"

/** Halves of surrogate pairs, which JSON escapes and nothing else does: they are no text, and have no canonical form. */
const loneSurrogate = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/** The JSON of a payload; undefined when it has none, as it is nested too deeply. */
const jsonOf = (payload: unknown): string | undefined => {
  try {
    const json = JSON.stringify(payload) ?? "null"
    return isDeeperThan(json, maxDepth) ? undefined : json
  } catch {
    return undefined
  }
}

/** Nobody can tell whether there are secrets in it. */
const unclear = Symbol("unclear")

/** A payload without its secrets; where that fails, whatever the reason, nothing of it is stored. */
const cleanOf = (payload: unknown): unknown => {
  try {
    return redactJson(payload)
  } catch {
    return unclear
  }
}

/** Decides what becomes of a payload of which `room` bytes may be stored. Its secrets are gone in whatever is kept. */
export const keep = ({ kind, payload: given }: RunFact, room: number): Kept => {
  const json = jsonOf(given)
  if (json === undefined) return { _tag: "Dropped", originalBytes: 0 }
  const originalBytes = Buffer.byteLength(json)
  if (originalBytes > Math.min(payloadLimit, room)) return { _tag: "Dropped", originalBytes }
  const isWhole = !json.includes("\\ud")
  const payload: unknown = isWhole ? given : JSON.parse(json.replace(loneSurrogate, "$1\\ufffd"))
  const clean = cleanOf(payload)
  if (clean === unclear) return { _tag: "Dropped", originalBytes }
  const fields = clean === payload ? none : fieldsThatDiffer(payload, clean)
  const status = clean === payload ? "none" : "redacted"
  const left = clean === payload && isWhole ? json : JSON.stringify(clean)
  const persistedBytes = left === json ? originalBytes : Buffer.byteLength(left)
  if (persistedBytes <= inlineLimit) {
    const redaction = { status, fields, originalBytes, persistedBytes } as const
    return { _tag: "Inline", redaction, json: left, hash: digestOf(canonicalOf(clean, left)) }
  }
  const output = outputOf(kind, clean, left, payload, originalBytes)
  if (output.bytes.length > room) return { _tag: "Dropped", originalBytes }
  return { _tag: "Output", status, fields, originalBytes, output }
}

/** Whether all names in a value stand in their canonical order: then its JSON is its canonical form as it is. */
const isOrdered = (value: unknown): boolean => {
  if (!isObject(value)) return true
  const names = Array.isArray(value) ? [] : Object.keys(value)
  return (
    names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name) &&
    Object.values(value).every(isOrdered)
  )
}

/** The canonical form of a payload; what JSON leaves out of a value, as it does with a number that is none, counts not. */
const canonicalOf = (payload: unknown, json: string): string => {
  if (isOrdered(payload)) return json
  try {
    return canonicalize(payload)
  } catch {
    return canonicalize(JSON.parse(json))
  }
}

const none: ReadonlyArray<string> = []

const outputOf = (
  kind: string,
  clean: unknown,
  json: string,
  payload: unknown,
  originalBytes: number
): Output =>
  kind === "output" && isOutput(clean) && isOutput(payload)
    ? {
        media: "text",
        bytes: Buffer.from(clean.text),
        originalBytes: Buffer.byteLength(payload.text),
        rest: { stream: clean.stream, ...(clean.partial === true ? { partial: true } : {}) }
      }
    : { media: "json", bytes: Buffer.from(json), originalBytes, rest: {} }

/** How many fields an event names at the most. */
const fieldLimit = 50

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** The paths of what was taken out, with dots between names; a name that was a secret itself shows as what stands for it. */
const fieldsThatDiffer = (before: unknown, after: unknown): ReadonlyArray<string> => {
  const fields: Array<string> = []
  const visit = (one: unknown, other: unknown, path: string): void => {
    if (one === other || fields.length >= fieldLimit) return
    if (!isObject(one) || !isObject(other)) {
      fields.push(path)
      return
    }
    const members = Object.entries(other)
    for (const [index, [name, value]] of Object.entries(one).entries()) {
      const [left = marker, changed] = members[index] ?? []
      const place = path === "" ? left : `${path}.${left}`
      if (left === name) visit(value, changed, place)
      else fields.push(place)
    }
  }
  visit(before, after, "")
  return fields.slice(0, fieldLimit).map((field) => clip(field, 200))
}

/** What an event stores, as JSON text that begins with its brace. */
export const storedText = (
  sessionId: string | null,
  redaction: Redaction,
  hash: string,
  json: string
): string =>
  `{"sessionId":${JSON.stringify(sessionId)},"redaction":${JSON.stringify(redaction)},"payloadHash":"${hash}","payload":${json}}`

/** What an event stores whose payload was made here. */
export const storedPart = (
  sessionId: string | null,
  redaction: Omit<Redaction, "persistedBytes">,
  payload: object | null
): string => {
  const json = canonicalize(payload)
  const persistedBytes = payload === null ? 0 : Buffer.byteLength(json)
  return storedText(sessionId, { ...redaction, persistedBytes }, digestOf(json), json)
}

/** A kind as it is stored: short, and without secrets, as it is any word of an agent's. */
export const kindOf = (kind: string): string => clip(redactText(kind.toWellFormed()), 200) || "unknown"

/** A session as it is stored. */
export const sessionOf = (sessionId: string | null): string | null =>
  sessionId === null ? null : redactText(sessionId.toWellFormed())
