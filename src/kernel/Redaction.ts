import { assignments } from "./redaction/Assignments.ts"
import { clauses, databaseLogins, statements } from "./redaction/Clauses.ts"
import { commands } from "./redaction/Commands.ts"
import { redactDisguised } from "./redaction/Disguises.ts"
import { redactEncoded } from "./redaction/encoded/EncodedText.ts"
import { redactValue } from "./redaction/JsonValue.ts"
import { redactKnown } from "./redaction/KnownSecrets.ts"
import { prose } from "./redaction/Prose.ts"
import { elements, headers, privateKeys, urls } from "./redaction/Shapes.ts"
import { inOrder, type Step } from "./redaction/steps/Step.ts"
import { redactTokens } from "./redaction/Tokens.ts"

export { holdBack } from "./redaction/KnownSecrets.ts"
export { marker } from "./redaction/signs/Marker.ts"
export { isSecretName } from "./redaction/signs/SecretName.ts"

/** What a secret is told by, each taking out what it knows: its value, its shape, the place where it stands. */
export const steps: ReadonlyArray<Step> = [
  { redact: redactKnown },
  privateKeys,
  urls,
  { redact: redactTokens },
  headers,
  elements,
  assignments,
  databaseLogins,
  statements,
  clauses,
  commands,
  prose
]

const redactPlain = inOrder(steps)

const redactTwice = (decoded: string): string =>
  redactEncoded(redactDisguised(redactPlain(decoded), redactPlain), redactPlain)

/** A word or two, too short for a token and without a sign that gives something a value: most fields are that. */
const isWord = (text: string): boolean => text.length < 12 && !/[^\w .,/@#()+-]| -|%/.test(text)

/**
 * Free text with every secret replaced by the marker: those that this process holds, tokens by their shape, private
 * keys, passwords in URLs, headers, commands and sentences, literal values under secret names; also where they are
 * escaped, split, or encoded as base64 or hex, twice at the most. Everything else, long hex and identifiers included,
 * stays.
 */
export const redactText = (text: string): string =>
  isWord(text) ? text : redactEncoded(redactDisguised(redactPlain(text), redactPlain), redactTwice)

/**
 * A JSON value without secrets, in its texts, in its keys and under its secret names. The value itself when it holds
 * none, so that an unchanged value costs no copy.
 */
export const redactJson = <A>(value: A): A => redactValue(value, redactText) as A
