import { marker } from "./signs/Marker.ts"
import { isPlaceholder, looksMadeUp } from "./signs/Placeholder.ts"
import { isSecretName, stems, stemWords } from "./signs/SecretName.ts"
import type { Step } from "./steps/Step.ts"

/*
 * Passwords that are recognized by what surrounds them, without an equals sign or a colon: in SQL, in calls, in markup,
 * in files of credentials.
 */

/** `IDENTIFIED BY '…'`, `IDENTIFIED WITH caching_sha2_password BY "…"`, `PASSWORD '…'`, `PASSWORD('…')`. */
const sql =
  /(\b(?:identified\s{1,8}(?:(?:with|via)\s{1,8}[\w'"]{1,64}\s{1,8})?(?:by|as|using)(?:\s{1,8}(?:password|values))?|(?:encrypted\s{1,8})?password(?:\s{1,8}for\s{1,8}[\w'@"%.]{1,80})?)(?=[\s=(])\s{0,8}=?\s{0,8}(?:password)?\(?\s{0,4})(?:'([^'\r\n]{1,400})'|"([^"\r\n]{1,400})")/gi

/** `define('DB_PASSWORD', '…')`, `setHeader("X-Api-Key", "…")`, `["--token", "…"]`. */
const pair =
  /((["'`])-{0,2}([A-Za-z_$][\w.$ -]{1,60})\2\s{0,8}(?:,|=>|->)\s{0,8}(["'`]))([^"'`\s\\]{4,400})(?=\4)/g

/** `name="password" value="…"`, `<key>token</key><string>…`, `name: DB_PASSWORD` above `value: …`. */
const named =
  /((?:\b(?:name|key|id)["']?\s{0,4}[=:]\s{0,4}["']?|<key>)([A-Za-z_$][\w.$-]{1,60})(?:["']|<\/key>)?\s{0,60}(?:,\s{0,40}["']?)?(?:\bvalue["']?\s{0,4}[=:]\s{0,4}|<string>)["']?)([^"'<>\s]{4,400})/gi

/** A row of a table: `| password | … |`. */
const row =
  /(\|[ \t*`]{0,8}([A-Za-z_$][\w.$ -]{1,60}?)[ \t*`]{0,8}\|[ \t`]{0,8})([^\s|`]{4,400})(?=[ \t`]{0,8}\|)/g

/** `machine host login bob password …` */
const netrc =
  /(\b(?:machine\s{1,8}\S{1,200}|default)\s{1,8}(?:login\s{1,8}\S{1,200}\s{1,8})?(?:account\s{1,8}\S{1,200}\s{1,8})?password\s{1,8})(\S{1,400})/g
const netrcLogin = /(\blogin\s{1,8}\S{1,200}\s{1,8}password\s{1,8})(\S{4,400})/g

/** `host:5432:database:bob:…`, a line of its own. */
const pgpass =
  /^((?:[\w.*-]{0,80}[A-Za-z*][\w.*-]{0,80}|\d{1,3}(?:\.\d{1,3}){3}):(?:\d{2,5}|\*):[^:\s]{1,63}:[^:\s]{1,63}:)([^:\s]{4,200})$/gm

const digits = Array.from("0123456789")

/** Takes out the passwords of a file of logins to databases. */
export const databaseLogins: Step = {
  signs: [...digits, "*"].map((port) => `:${port}`),
  redact: (text) =>
    /^[^\s:]{1,160}:(?:\d{2,5}|\*):/m.test(text)
      ? text.replace(pgpass, (match, head: string, value: string) =>
          isPlaceholder(value) ? match : head + marker
        )
      : text
}

/** Takes out passwords in statements of SQL and in files of credentials. */
export const statements: Step = {
  signs: ["password", "identified"],
  redact: (text) => {
    const isStatement = /\b(?:create|alter|grant|set)\s/i.test(text)
    return text
      .replace(sql, (match, head: string, single: string | undefined, double: string | undefined) => {
        const value = single ?? double ?? ""
        const quote = single === undefined ? '"' : "'"
        const isSecret = isStatement ? !isPlaceholder(value) && value.length >= 3 : looksMadeUp(value, 4)
        return isSecret ? `${head}${quote}${marker}${quote}` : match
      })
      .replace(netrc, (match, head: string, value: string) => (isPlaceholder(value) ? match : head + marker))
      .replace(netrcLogin, (match, head: string, value: string) =>
        looksMadeUp(value, 4) ? head + marker : match
      )
  }
}

const redactClauses = (text: string): string => {
  if (!stems.test(text)) return text
  let result = text.replace(
    pair,
    (match, head: string, _quote: string, name: string, _second: string, value: string) =>
      isSecretName(name) && looksMadeUp(value) ? head + marker : match
  )
  if (result.includes("|"))
    result = result.replace(row, (match, head: string, name: string, value: string) =>
      isSecretName(name) && looksMadeUp(value) ? head + marker : match
    )
  return /value|<key>/i.test(result)
    ? result.replace(named, (match, head: string, name: string, value: string) =>
        isSecretName(name) && !isPlaceholder(value) ? head + marker : match
      )
    : result
}

/** Takes out passwords in calls, markup and tables. */
export const clauses: Step = { signs: stemWords, redact: redactClauses }
