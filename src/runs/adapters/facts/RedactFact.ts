import { Predicate } from "effect"
import { marker, redactJson, redactText } from "../../../kernel/Redaction.ts"
import { makeStreamRedactor } from "../../../kernel/redaction/stream/RedactStream.ts"
import type { Fact } from "./Fact.ts"

/** More places than a reader looks at. */
const fieldLimit = 50

/** Where two JSON values differ, as paths: `input.env.TOKEN`, `content.0.text`. A changed name of a member counts too. */
export const changedPaths = (before: unknown, after: unknown): ReadonlyArray<string> => {
  const found: Array<string> = []
  const visit = (one: unknown, other: unknown, path: string): void => {
    if (one === other || found.length >= fieldLimit) return
    const isList = Array.isArray(one) && Array.isArray(other)
    if (!isList && !(Predicate.isRecord(one) && Predicate.isRecord(other))) {
      found.push(path)
      return
    }
    const others = new Map(Object.entries(other))
    for (const [name, value] of Object.entries(one)) {
      // The name itself may be the secret: where it stood is told, and not what it was.
      if (!others.has(name)) found.push(path)
      else visit(value, others.get(name), path === "" ? name : `${path}.${name}`)
    }
  }
  visit(before, after, "")
  return [...new Set(found)].slice(0, fieldLimit)
}

const bytesOf = (payload: Fact["payload"]): number => Buffer.byteLength(JSON.stringify(payload))

/** A fact without secrets, in its payload and in its kind. */
export const redactFact = ({ kind, payload }: Fact): Fact => {
  const left = redactJson(payload)
  return left === payload
    ? { kind: redactText(kind), payload }
    : {
        kind: redactText(kind),
        payload: left,
        redaction: { fields: changedPaths(payload, left), originalBytes: bytesOf(payload) }
      }
}

const countMarkers = (text: string): number => text.split(marker).length - 1

/**
 * Takes the secrets out of a text that comes in pieces, and makes facts of what may be let out: so a secret that lies
 * across two lines, or two pieces of a message, is in none of them.
 */
export const makeTextFacts = (factsOf: (text: string, isLast: boolean) => ReadonlyArray<Fact>) => {
  const redactor = makeStreamRedactor()
  let takenIn = 0
  let letOut = 0
  let markersIn = 0
  let markersOut = 0

  const told = (text: string, isLast: boolean): ReadonlyArray<Fact> => {
    if (text === "") return []
    markersOut += countMarkers(text)
    letOut += Buffer.byteLength(text)
    const facts = factsOf(text, isLast)
    if (markersOut <= markersIn) return facts
    markersIn = markersOut
    // What is still held back counts when it is let out.
    const gone = Math.max(0, takenIn - letOut - Buffer.byteLength(redactor.held()))
    letOut += gone
    const at = facts.findIndex(({ payload }) => String(payload["text"]).includes(marker))
    return facts.map((fact, index) =>
      index === at
        ? { ...fact, redaction: { fields: ["text"], originalBytes: bytesOf(fact.payload) + gone } }
        : fact
    )
  }

  return {
    push: (text: string): ReadonlyArray<Fact> => {
      takenIn += Buffer.byteLength(text)
      markersIn += countMarkers(text)
      return told(redactor.push(text), false)
    },
    /** Nothing has come for a while: what waits for the next line is told. */
    pause: (): ReadonlyArray<Fact> => told(redactor.pause(), false),
    flush: (): ReadonlyArray<Fact> => told(redactor.flush(), true)
  }
}
