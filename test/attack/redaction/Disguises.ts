import type { Random } from "./Random.ts"

/** Another way to write a secret, in which somebody who reads it still finds it. */
export type Disguise = (secret: string, random: Random) => string

const eachUnit = (write: (unit: string) => string) => (secret: string) => [...secret].map(write).join("")
const hexOf = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(2, "0")
const half = (secret: string): readonly [string, string] => [
  secret.slice(0, Math.floor(secret.length / 2)),
  secret.slice(Math.floor(secret.length / 2))
]
const sprinkled =
  (character: string): Disguise =>
  (secret, random) =>
    [...secret].map((unit, index) => (index > 0 && random.below(4) === 0 ? character + unit : unit)).join("")

export const disguises: Readonly<Record<string, Disguise>> = {
  "percent, all of it": eachUnit((unit) => `%${hexOf(unit)}`),
  "percent, here and there": (secret, random) =>
    [...secret].map((unit) => (random.below(3) === 0 ? `%${hexOf(unit).toUpperCase()}` : unit)).join(""),
  "percent, twice": eachUnit((unit) => `%25${hexOf(unit)}`),
  "a component of a URL": (secret) => `https://example.com/?q=${encodeURIComponent(`note:${secret}`)}&n=1`,
  "\\u escapes": eachUnit((unit) => `\\u00${hexOf(unit)}`),
  "\\x escapes": eachUnit((unit) => `\\x${hexOf(unit)}`),
  "\\u{} escapes": eachUnit((unit) => `\\u{${hexOf(unit)}}`),
  "entities of HTML": eachUnit((unit) => `&#x${hexOf(unit)};`),
  "decimal entities": eachUnit((unit) => `&#${unit.charCodeAt(0)};`),
  "zero-width spaces": sprinkled("\u200b"),
  "zero-width joiners": sprinkled("\u200d"),
  "soft hyphens": sprinkled("\u00ad"),
  "word joiners": sprinkled("\u2060"),
  "byte order marks": sprinkled("\ufeff"),
  "marks of direction": sprinkled("\u202e"),
  "wide letters": eachUnit((unit) => String.fromCharCode(unit.charCodeAt(0) + 0xfee0)),
  hex: (secret) => Buffer.from(secret).toString("hex"),
  "hex in capitals": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  "a dump in hex": (secret) => Buffer.from(secret).toString("hex").match(/../g)?.join(" ") ?? "",
  base64: (secret) => Buffer.from(secret).toString("base64"),
  "base64 for URLs": (secret) => Buffer.from(`key: ${secret}`).toString("base64url"),
  "base64 twice": (secret) => Buffer.from(Buffer.from(secret).toString("base64")).toString("base64"),
  "base64 in lines": (secret) =>
    Buffer.from(`some words before it, then ${secret} and some behind`)
      .toString("base64")
      .replace(/.{64}/g, "$&\n"),
  "base64 of UTF-16": (secret) => Buffer.from(secret, "utf16le").toString("base64"),
  "two literals": (secret) => `"${half(secret)[0]}" + "${half(secret)[1]}"`,
  "two literals side by side": (secret) => `'${half(secret)[0]}' '${half(secret)[1]}'`,
  "two literals on two lines": (secret) => `"${half(secret)[0]}"\n  . "${half(secret)[1]}"`,
  "a line that goes on": (secret) => `${half(secret)[0]}\\\n${half(secret)[1]}`,
  "a line break": (secret) => `${half(secret)[0]}\n${half(secret)[1]}`,
  "a soft line break of mail": (secret) => `${half(secret)[0]}=\n${half(secret)[1]}`
}
