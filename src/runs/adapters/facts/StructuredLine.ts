import { Predicate } from "effect"
import { isDeeperThan, maxDepth } from "../../../kernel/Json.ts"
import type { Line } from "../../../kernel/process/Lines.ts"
import type { Fact } from "./Fact.ts"
import { resultClaim } from "./ResultClaim.ts"
import { isUsage } from "./Usage.ts"

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The object that a value is, or one without members. */
export const objectOf = (value: unknown): JsonObject => (Predicate.isRecord(value) ? value : {})

/** The longest name of a kind of event; a line with a longer one is text. */
const longestKind = 200

/** The JSON object with a string `type` that a line is; undefined for any other line (ruling 24). */
export const structured = (line: string): (JsonObject & { readonly type: string }) | undefined => {
  if (!/^\s*\{/.test(line) || isDeeperThan(line, maxDepth)) return undefined
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!Predicate.isRecord(read)) return undefined
  const { type } = read
  return typeof type === "string" && type !== "" && type.length <= longestKind ? { ...read, type } : undefined
}

/**
 * What a structured line says in the protocol of the command adapter (ruling 24); undefined for one that is text after
 * all: malformed `tokens` and `result`, which would count for something if they were believed. An unknown type is kept as
 * it came.
 */
export const factOf = ({ type, ...payload }: JsonObject & { readonly type: string }): Fact | undefined => {
  switch (type) {
    case "tokens":
      return isUsage(payload) ? { kind: type, payload } : undefined
    case "result":
      return resultClaim(payload) === undefined ? undefined : { kind: type, payload }
    case "output":
      // The kind is that of text; an agent that knows it may use it, for text.
      return typeof payload["text"] === "string" ? output("stdout", payload["text"]) : undefined
    default:
      return { kind: type, payload }
  }
}

/** A line of text. `partial` says that the same line goes on in the next fact: it was too long for one. */
export const output = (stream: "stdout" | "stderr", text: string, goesOn = false): Fact => ({
  kind: "output",
  payload: { stream, text, ...(goesOn ? { partial: true } : {}) }
})

/** The longest line that may be structured, in UTF-16 units: all that a journal takes as one payload. Then any other's. */
export const longestStructured = 8_388_608
export const longestText = 65_536

/** How much of a line is kept, by how it begins. */
export const lineLimit = (beginning: string): number =>
  beginning.trimStart().startsWith("{") ? longestStructured : longestText

/** Whether a line is whole: neither a part of a longer one nor the end of it. */
export const wholeLines = () => {
  let parted = false
  return ({ goesOn }: Line): boolean => {
    const whole = !goesOn && !parted
    parted = goesOn
    return whole
  }
}
