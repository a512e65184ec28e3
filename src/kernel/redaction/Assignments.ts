import { membersOf } from "./Runs.ts"
import { marker } from "./signs/Marker.ts"
import { isPlace, isPlaceholder, looksMadeUp } from "./signs/Placeholder.ts"
import { isSecretName, kindOf, type NameKind, stems, stemWords } from "./signs/SecretName.ts"
import type { Step } from "./steps/Step.ts"

/**
 * A name and its separator: `password=`, `"api_key": `, `\"token\":`, `DB_PASSWORD = `, `Api key: `, `**Password:** `,
 * `password%3D`. A word may stand before the name, since "api key" is a name of two words.
 */
const assignment =
  /(?!(?<=[\w$.])(?<!%[0-9A-Fa-f]{2}))((?:[A-Za-z]{2,14} )?[A-Za-z_$][\w.$-]{1,80})(?:\\{0,3}["'`]|%22|&quot;|\*\*|__)?\]?(?:([ \t]{0,8})(===?|!==?|:=|=>|=|:)(?:\*\*|__)?[ \t]{0,8}|(%3D|%3A))/gi

/** `--password hunter2` */
const flag = /(?<![\w-])--([a-z][\w-]{1,60}) {1,4}(?=[^\s-])/gi

/** What a quote begins with, in any of its spellings. */
const mayOpen = membersOf(/[\\"'`%&]/)
const opening = /\\{0,3}["'`]|%22|&quot;/y
const doubleQuoted = /(?:[^"\\\r\n]|\\.){0,8192}/y
const singleQuoted = /(?:[^'\\\r\n]|\\.){0,8192}/y
const backQuoted = /(?:[^`\\\r\n]|\\.){0,8192}/y
/** Up to the next quote of any spelling: inside escaped JSON a value holds none without further escapes. */
const escapedQuoted = /(?:[^\\\r\n%&]|\\(?!["'`])|%(?!22)|&(?!quot;)){0,8192}/y
/** Up to a space, a quote or the start of the next pair (`&user=`, `;Database=`, `, token:`). */
const bare = /(?:[^\s"'`<>|\\,;&]|[,;&](?![^\s,;&=:"']{0,64}[=:]|\s|$)){1,8192}/y
const bareEncoded = /(?:[^\s"'`<>|\\,;&%]|%(?!20|22|26|27|2C|3B|7D|5D|0A|0D)){1,8192}/iy

const at = (pattern: RegExp, text: string, index: number): string => {
  pattern.lastIndex = index
  return pattern.test(text) ? text.slice(index, pattern.lastIndex) : ""
}

interface Value {
  readonly start: number
  readonly text: string
  readonly quoted: boolean
}

/** The value at `index`, or `undefined` for code, which is recognized by its beginning. */
const valueAt = (text: string, index: number, encoded: boolean): Value | undefined => {
  const quote = mayOpen[text.charCodeAt(index)] === 1 ? at(opening, text, index) : ""
  const start = index + quote.length
  if (quote !== "") {
    const body =
      quote === '"' ? doubleQuoted : quote === "'" ? singleQuoted : quote === "`" ? backQuoted : escapedQuoted
    return { start, text: at(body, text, start), quoted: true }
  }
  if (expression.test(text.slice(index, index + 128))) return undefined
  return { start, text: trimmed(at(encoded ? bareEncoded : bare, text, index)), quoted: false }
}

const stops = membersOf(/[.,:;]/)
const stopsAndBrackets = membersOf(/[.,:;)\]}]/)

/** Without the closing bracket or full stop of the sentence around it. */
const trimmed = (value: string): string => {
  const isOpen = /[([{]/.test(value)
  const closing = isOpen ? stops : stopsAndBrackets
  const least = value.length - (isOpen ? 3 : 4)
  let end = value.length
  while (end > least && closing[value.charCodeAt(end - 1)] === 1) end--
  return value.slice(0, end)
}

/**
 * The beginning of code, not of a literal: a call, an index, a member of a well-known object; or of a placeholder,
 * `${NAME}`, `$(command)`, `{{ name }}`, `<name>`.
 */
const expression =
  /^(?:\$[{(]|<|[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*){0,12}!?[([]|[({[]|(?:process|config|cfg|env|this|self|req|request|res|resp|response|ctx|context|settings|options|opts|props|args|os|user|data|params|body|secrets|vars|state|input|event|import|app|form|values|credentials|auth|session|account|z|Schema|t|Config|Redacted|Option|Effect)\??\.[A-Za-z_$])/

/** `password=newPassword`, `token=token`: a variable passed on under its own name. */
const isEcho = (value: string, name: string): boolean =>
  /^[A-Za-z_][A-Za-z_.]*$/.test(value) &&
  (value.toLowerCase() === name.slice(name.search(/[^. ]*$/)).toLowerCase() ||
    (/[a-z][A-Z]|_/.test(value) && isSecretName(value)))

const typeWord =
  /^(?:u?int|float|uint|base|sha-?|md|hs|rs|es|ps|oauth|utf-?|uuid|v|aes-?|bcrypt|argon|ed)\d+\w{0,8}$/i

/** What often follows `Password:` on its line without being a password. */
const remarks = new Set(
  "required optional missing invalid hidden hashed encrypted redacted masked unset none empty unknown wrong incorrect changed reset expired text string number boolean varchar hash bcrypt argon2 jwt bearer basic unauthorized forbidden failed passed done yes plain never always minimum maximum strong weak todo unchanged optional*".split(
    " "
  )
)

const isShortCode = (name: string): boolean => /(?:^|[^a-z])(?:pin|t?otp)\d*$/i.test(name)

const isQuotedSecret = (kind: NameKind, value: string, comparison: boolean): boolean => {
  if (value.includes("${") || value.includes("{{")) return false
  if (kind === "plain") return value.length >= 4 && !value.includes(" ") && (!comparison || /\d/.test(value))
  const sentence = / .* /.test(value) && !/\d/.test(value) && /^[A-Z]|[.!?…]$/.test(value)
  return /\S/.test(value) && !sentence
}

const isBareSecret = (kind: NameKind, name: string, value: string, rest: string): boolean => {
  if (value.length < 4 || typeWord.test(value) || rest.startsWith("(") || rest.startsWith("<")) return false
  const digits = /\d/.test(value)
  const letters = /[A-Za-z]/.test(value)
  if (digits && letters && value.length >= (kind === "strong" ? 4 : 8)) return true
  if (value.length >= 24 && !/[.\-_/]/.test(value)) return true
  if (kind !== "strong") return false
  if (letters && value.length >= 5 && /[!#$%^*+~@]/.test(value)) return true
  const alone = /^[ \t]*(?:[\r\n]|\\n|$)/.test(rest)
  if (!alone || (value.includes(".") && /^[A-Za-z_$][\w$]{0,80}\.[A-Za-z_$]/.test(value))) return false
  return !remarks.has(value.toLowerCase()) && !isEcho(value, name)
}

/** Words that make what follows a declaration: only a literal in quotes is a value there. */
const declaration = /^(?:const|let|var|val|return|def|func|fn) /

/** Words that declare something in code, but that people also put before a secret: `private token=…`. */
const modifier = /^(?:final|readonly|public|private|protected|static) /i

/** Words of both code and prose: after them, a value without quotes must look like a secret. */
const conjunction = /^(?:if|and|or|not|in) /i

interface Assignment {
  readonly name: string
  readonly kind: NameKind
  readonly operator: string
  /** `name=value` without spaces, as in a shell, a URL or a connection string: the value is a literal. */
  readonly tight: boolean
  readonly declared: boolean
  /** Whether the word before the name is one of code and of sentences alike: the value must look like a secret. */
  readonly joined: boolean
  readonly value: Value
  readonly text: string
}

const isSecret = ({ name, kind, operator, tight, declared, joined, value, text }: Assignment): boolean => {
  const literal = value.text
  if (literal === "" || isPlaceholder(literal) || isPlace(literal)) return false
  if (/^[/~.]|^[A-Za-z]:\\/.test(literal) && /(?:^|[^a-z])pwd$/i.test(name)) return false
  if (isShortCode(name)) return /^\d{4,10}$/.test(literal)
  if (value.quoted) return isQuotedSecret(kind, literal, operator.length > 1)
  if (declared || (joined && !looksMadeUp(literal))) return false
  const rest = text.slice(value.start + literal.length, value.start + literal.length + 16)
  if (operator.length > 1 && !tight) return false
  if (!tight) return !(operator === "=" && rest.startsWith(";")) && isBareSecret(kind, name, literal, rest)
  if (isEcho(literal, name)) return false
  return kind === "strong" || (literal.length >= 3 && !/^\d{1,5}$/.test(literal))
}

/** An escape's letter or the `D` of `-Dname=` is no part of the name: `\npassword`, `-Dtoken`. */
const cleanName = (text: string, index: number, name: string): string => {
  const before = text[index - 1]
  if (before === "\\" && /^[nrtbf]/.test(name)) return name.slice(1)
  if (before === "-" && name.startsWith("D")) return name.slice(1)
  return name
}

/** `with password=x` assigns to `password`; `missing token: x` and `type Token = x` say nothing of a token's value. */
const nameOf = (name: string, tight: boolean): string => (tight ? name.slice(name.indexOf(" ") + 1) : name)

const redactWith = (
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => Value | undefined
): string => {
  const parts: Array<string> = []
  let position = 0
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const value = read(match)
    if (value === undefined) continue
    parts.push(text.slice(position, value.start), marker)
    position = value.start + value.text.length
    pattern.lastIndex = position
  }
  if (position === 0) return text
  parts.push(text.slice(position))
  return parts.join("")
}

const flagWords =
  /^(?:to|or|and|for|flag|flags|option|options|is|with|from|in|via|if|when|argument|parameter|instead|as|on|the|a|which|that|must|can|stdin|was|will|by|set|value)$/

/** What follows the separator in place of a value, when the value may be on the next line. */
const mayBreak = membersOf(/[|>\s]/)
/** The line break between a name and a value that stands below it, as YAML and people write it. */
const lineBreak = /(?:[|>][+-]?)?[ \t]{0,8}\r?\n[ \t]{0,40}(?:\r?\n[ \t]{0,40})?(?:`{3}\w{0,16}\r?\n)?/y

/** A value that stands alone on the line below its name: it must look like one. */
const valueBelow = (text: string, index: number): Value | undefined => {
  const value = valueAt(text, index, false)
  if (value === undefined || value.quoted) return value
  const alone = /^[ \t]*(?:[\r\n]|$)/.test(text.slice(value.start + value.text.length).slice(0, 64))
  return alone && !/[=:]/.test(value.text) && looksMadeUp(value.text) ? value : undefined
}

const operators = /[:=]|%3[AD]/i

const redactAssignments = (text: string): string => {
  if (!stems.test(text)) return text
  const assigned = !operators.test(text)
    ? text
    : redactWith(text, assignment, (match) => {
        const operator = match[3] ?? match[4] ?? ""
        const end = match.index + match[0].length
        const tight =
          (operator === "=" && match[2] === "" && !/\s$/.test(match[0])) || operator.startsWith("%")
        const modified = modifier.test(match[1] ?? "")
        const declared = declaration.test(match[1] ?? "") || (modified && !tight)
        const joined = conjunction.test(match[1] ?? "") || modified
        const name = nameOf(cleanName(text, match.index, match[1] ?? ""), tight)
        const kind = kindOf(name)
        if (kind !== "strong" && kind !== "plain") return undefined
        if (operator === ":" && /[:/@]/.test(text[match.index - 1] ?? "")) return undefined
        const isBreak = mayBreak[text.charCodeAt(end)] === 1 && (operator.endsWith(":") || operator === "=>")
        const broken = isBreak ? at(lineBreak, text, end) : ""
        const value =
          broken === "" ? valueAt(text, end, match[4] !== undefined) : valueBelow(text, end + broken.length)
        return value !== undefined && isSecret({ name, kind, operator, tight, declared, joined, value, text })
          ? value
          : undefined
      })
  return assigned.includes("--")
    ? redactWith(assigned, flag, (match) => {
        const name = match[1] ?? ""
        const kind = kindOf(name)
        if (kind !== "strong" && kind !== "plain") return undefined
        const value = valueAt(assigned, match.index + match[0].length, false)
        if (value === undefined) return undefined
        if (!value.quoted && (flagWords.test(value.text) || /^\w+=/.test(value.text))) return undefined
        const tight = { operator: "=", tight: true, declared: false, joined: false }
        return isSecret({ name, kind, ...tight, value, text: assigned }) ? value : undefined
      })
    : assigned
}

/** Takes out literal values under secret names; the name, the separator and the quotes are kept. */
export const assignments: Step = { signs: stemWords, redact: redactAssignments }
