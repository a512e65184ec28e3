import { marker } from "./signs/Marker.ts"
import { looksMadeUp } from "./signs/Placeholder.ts"
import type { Step } from "./steps/Step.ts"

/** What people call a password, in the languages that boards are written in. */
const nouns =
  "password|passwd|passcode|passphrase|pass ?word|passwort|kennwort|mot de passe|contraseña|contrasena|clave|senha|palavra-passe|wachtwoord|parola|hasło|haslo|lösenord|salasana|пароль|şifre|secret(?: key)?|api[ -]?key|access key|access token|auth token|api token|token|pin(?: code)?|credentials?|login"

const verbs =
  "is(?: now| still| set to)?|was|will be|are|has been (?:set|changed|reset) to|(?:set|changed|reset|updated) to|ist(?: jetzt)?|lautet|est|es(?: ahora)?|é|è|to"

const about = "(?:for|of|on|to|für|von|pour|para|de|del|do) [^\\n.,;:!?]{1,48}?"

/** `the password (for the staging database) is …`, up to the next space. */
const sentence = new RegExp(
  String.raw`((?<![\p{L}\d_])(?:${nouns})(?:(?: ${about})? (?:${verbs})| ${about}:))(\s{1,4})(["'\x60“„«‘*]{0,3})([^\s"'\x60”“»’]{4,200})`,
  "giu"
)

/** `password `…``, in quotes of its own. */
const quoted = new RegExp(
  String.raw`((?<![\p{L}\d_])(?:${nouns})\s{1,4}([\x60'"]))([^\s"'\x60]{5,200})(?=\2)`,
  "giu"
)

/** A part of each noun, in small letters. */
const parts =
  "pass pwort nnwort trase clave senha palavra wachtw parola hasl hasł lösen salasa пароль şifre secret key token pin cred login".split(
    " "
  )

/** What the patterns take for a letter besides the letter itself: the long s and the sign of Kelvin. */
const alike: Readonly<Record<string, string>> = { s: "\u017f", k: "\u212a" }

const spellings = (word: string): ReadonlyArray<string> =>
  Array.from(word).reduce<ReadonlyArray<string>>(
    (begun, letter) =>
      begun.flatMap((start) => [letter, alike[letter] ?? []].flat().map((one) => start + one)),
    [""]
  )

/** A quoted value is a secret even when it is a plain word, unless the word says that there is none. */
const remark =
  /^(?:required|optional|missing|invalid|hidden|hashed|encrypted|redacted|unset|none|empty|unknown|wrong|incorrect|expired|string|undefined|null|true|false)$/i

const isSaid = (quote: string, value: string): boolean =>
  looksMadeUp(value) ||
  (/["'`“„«‘]/.test(quote) &&
    value.length >= 5 &&
    !remark.test(value) &&
    /^[\w!#$%^*+~@&-]+$/.test(value) &&
    !/^(?:[A-Z_]+|[a-z]+[A-Z_-]\w*)$/.test(value))

/** Takes out passwords in sentences: "the password for staging is …". */
export const prose: Step = {
  signs: parts.flatMap(spellings),
  redact: (text) =>
    text
      .replace(sentence, (match, head: string, space: string, quote: string, said: string) => {
        const value = said.replace(/[.,;:!?)\]}*]{1,4}$/, "")
        return isSaid(quote, value) ? `${head}${space}${quote}${marker}${said.slice(value.length)}` : match
      })
      .replace(quoted, (match, head: string, _quote: string, value: string) =>
        looksMadeUp(value) ? head + marker : match
      )
}
