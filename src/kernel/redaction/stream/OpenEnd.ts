import { endsInKnown } from "../KnownSecrets.ts"
import { marker } from "../signs/Marker.ts"
import { stems } from "../signs/SecretName.ts"

/*
 * Whether a text ends where a secret may go on: each rule of redaction that reaches over the end of a line has its
 * counterpart here. Too much suspicion costs a line of delay, too little costs a secret.
 */

const keyHeader = /-{4,5} ?BEGIN(?:[ +]|%20)(?:[A-Z0-9+ ]|%20){0,40}?PRIVATE(?:[ +]|%20)KEY/g
const keyFooter = /-{4,5} ?END(?:[ +]|%20)(?:[A-Z0-9+ ]|%20){0,40}?PRIVATE(?:[ +]|%20)KEY/g

/** How far the end of a private key is waited for: 16,384 bits with a number before each line. */
const keyLimit = 16_384

const lastOf = (text: string, pattern: RegExp): number => {
  let last = -1
  for (const { index } of text.matchAll(pattern)) last = index
  return last
}

/** Whether a private key has begun whose end was not seen yet. */
export const isInsideKey = (text: string): boolean => {
  if (!text.includes("PRIVATE")) return false
  const begins = lastOf(text, keyHeader)
  return begins >= 0 && lastOf(text, keyFooter) < begins && text.length - begins < keyLimit
}

/** What a redaction took out stands at the very end: the rest of it may follow. */
const endsTakenOut = new RegExp(`${marker.replace(/[[\]]/g, String.raw`\$&`)}[=\\\\"'\`,;]{0,3}$`)

/** The last word, and whether it looks like the first half of something that was made up. */
const lastRun = /[\w+/.:|~-]{8,400}[=\\]?$/
const isGenerated = (part: string): boolean =>
  /[A-Za-z]/.test(part) && (/\d/.test(part) || /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(part))

/** A literal that may go on in the next line: `"ghp_…" +`, or a line that says so itself. */
const seam = /[\w+/=-]["'`]\s{0,8}(?:[+.&\\]|\|\|)?$|\\$/

/** An element that is open, a file of credentials. */
const opened = /<[A-Za-z][\w:.-]{1,60}>[^<>]{0,500}$|\b(?:machine|default|account)\b[^\n]{0,220}$/

/** What names a secret in sentences, beside the stems of names. */
const nouns = /nnwort|trase|clave|palavra|parola|has[lł]o|lösen|salasa|пароль|şifre|identified/i

/** How far before its value a name may stand. */
const reach = 160

/** Whether a secret may go on behind the end of a text. `redacted` is what is left of it as it is now. */
export const mayGoOn = (text: string, redacted: string): boolean => {
  const end = text.slice(-1_024).trimEnd()
  const tail = end.slice(-reach)
  const run = lastRun.exec(end)?.[0]
  return (
    (run !== undefined && isGenerated(run)) ||
    endsTakenOut.test(redacted.slice(-64).trimEnd()) ||
    seam.test(end) ||
    opened.test(end.slice(-600)) ||
    stems.test(tail) ||
    nouns.test(tail) ||
    isInsideKey(text) ||
    endsInKnown(text)
  )
}
