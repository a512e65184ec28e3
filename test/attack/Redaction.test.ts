import { describe, expect, it } from "vitest"
import { marker, redactJson, redactText } from "../../src/kernel/Redaction.ts"
import { byForm, isLong } from "../support/Form.ts"
import { contexts } from "./redaction/Contexts.ts"
import { disguises } from "./redaction/Disguises.ts"
import { named, password, shaped } from "./redaction/Kinds.ts"
import { ordinaryTexts } from "./redaction/Ordinary.ts"
import { randomOf } from "./redaction/Random.ts"

/** So many secrets of each kind are tried in each place. */
const samples = byForm({ short: 2, middle: 10, full: 50 })

/** What no text may show: the second half of a secret, without the prefix that names its maker. */
const tail = (secret: string): string => secret.slice(Math.floor(secret.length / 2)).replace(/[.=]+$/, "")

interface Case {
  readonly name: string
  readonly secret: string
  readonly text: string
}

const share = (missed: ReadonlyArray<Case>, of: ReadonlyArray<Case>): number => 1 - missed.length / of.length

const isMissed = ({ secret, text }: Case): boolean => {
  const left = redactText(text)
  return !left.includes(marker) || left.includes(tail(secret))
}

/** The cases that got through, at most so many names of them: a failure says where to look, not all that it found. */
const told = (missed: ReadonlyArray<Case>): ReadonlyArray<string> =>
  [...new Set(missed.map(({ name, text }) => `${name}: ${text.slice(0, 200)}`))].slice(0, 20)

const expectRecall = (cases: ReadonlyArray<Case>, least: number): void => {
  const missed = cases.filter(isMissed)
  expect(share(missed, cases), told(missed).join("\n")).toBeGreaterThanOrEqual(least)
}

const sentences: ReadonlyArray<(secret: string) => string> = [
  (secret) => secret,
  (secret) => `deployed with ${secret} and it works`,
  (secret) => `(${secret})`,
  (secret) => `first line\n${secret}\nlast line`,
  (secret) => `see <${secret}>, please`,
  (secret) => JSON.stringify({ note: `one\n${secret}` })
]

const structured: ReadonlyArray<Case> = Object.entries(shaped).flatMap(([name, make], index) => {
  const random = randomOf(1_000 + index)
  return Array.from({ length: samples }, () => make(random)).flatMap((secret) =>
    sentences.map((render) => ({ name, secret, text: render(secret) }))
  )
})

const assigned: ReadonlyArray<(name: string, value: string) => string> = [
  (name, value) => `${name}=${value}`,
  (name, value) => `export ${name}="${value}"`,
  (name, value) => `${name}: ${value}`,
  (name, value) => JSON.stringify({ [name]: value }),
  (name, value) => `const ${name.replaceAll("-", "_")} = '${value}'`
]

const underNames: ReadonlyArray<Case> = Object.entries(named).flatMap(([name, [field, make]], index) => {
  const random = randomOf(2_000 + index)
  return Array.from({ length: samples }, () => make(random)).flatMap((secret) =>
    assigned.map((render) => ({ name, secret, text: render(field, secret) }))
  )
})

const inContext: ReadonlyArray<Case> = Object.entries(contexts).flatMap(([name, renders], index) => {
  const random = randomOf(3_000 + index)
  return renders.flatMap((render) =>
    Array.from({ length: samples * 2 }, () => password(random)).map((secret) => ({
      name,
      secret,
      text: render(secret)
    }))
  )
})

/** Disguised are secrets of every shape; the bare ones, and with words around them. */
const disguised: ReadonlyArray<Case> = Object.entries(disguises).flatMap(([name, disguise], index) => {
  const random = randomOf(4_000 + index)
  return Object.values(shaped).flatMap((make, kind) =>
    Array.from({ length: isLong ? 5 : kind % 8 === index % 8 ? 1 : 0 }, () => {
      const secret = make(random)
      const text = disguise(secret, random)
      return { name, secret, text: random.below(2) === 0 ? text : `look at ${text}` }
    })
  )
})

/** A disguised secret is missed when its text comes through, or when so much as a third of its disguise does. */
const isMissedDisguised = ({ text }: Case): boolean => {
  const left = redactText(text)
  const end = text.slice(Math.floor(text.length / 2))
  return !left.includes(marker) || left.includes(end.slice(-Math.max(12, Math.floor(end.length / 2))))
}

describe("secrets", () => {
  it("are found by their shape, 99 of 100 at least", () => {
    expectRecall(structured, 0.99)
  })

  it("are found under the names of their makers, 99 of 100 at least", () => {
    expectRecall(underNames, 0.99)
  })

  it("are found where they stand, 95 of 100 at least", () => {
    expectRecall(inContext, 0.95)
  })

  it.each(Object.keys(contexts))("are found in %s, nine of ten at least", (name) => {
    expectRecall(
      inContext.filter((found) => found.name === name),
      0.9
    )
  })

  it("are found in disguise, nine of ten at least", () => {
    const missed = disguised.filter(isMissedDisguised)
    expect(share(missed, disguised), told(missed).join("\n")).toBeGreaterThanOrEqual(0.9)
  })

  it.each(Object.keys(disguises))("are found behind %s, eight of ten at least", (name) => {
    const cases = disguised.filter((found) => found.name === name)
    const missed = cases.filter(isMissedDisguised)
    expect(share(missed, cases), told(missed).join("\n")).toBeGreaterThanOrEqual(0.8)
  })

  it("are found in JSON, in its keys too", () => {
    const missed = structured.filter(({ secret, text }) =>
      JSON.stringify(redactJson({ [secret]: 1, list: [{ note: text }] })).includes(tail(secret))
    )
    expect(told(missed)).toEqual([])
  })

  it("are gone at the first look: a second one changes nothing", () => {
    const restless = [...structured, ...underNames, ...inContext, ...disguised].filter(({ text }) => {
      const once = redactText(text)
      return redactText(once) !== once
    })
    expect(told(restless)).toEqual([])
  })
})

describe("ordinary texts", () => {
  it("stay as they are, 995 of 1,000 at least", () => {
    const texts = ordinaryTexts(isLong ? 10_000 : 2_000)
    const changed = texts.filter(([, text]) => redactText(text) !== text)
    const shown = changed.slice(0, 40).map(([kind, text]) => `${kind}: ${redactText(text).slice(0, 300)}`)
    expect(texts.length).toBeGreaterThanOrEqual(isLong ? 10_000 : 2_000)
    expect(changed.length / texts.length, shown.join("\n")).toBeLessThanOrEqual(0.005)
  })
})
