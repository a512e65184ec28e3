import { marker } from "./signs/Marker.ts"
import { kindOf } from "./signs/SecretName.ts"
import type { Step } from "./steps/Step.ts"

/** `-----BEGIN RSA PRIVATE KEY-----`, with four dashes, and with spaces as `%20` or `+` in a URL. */
const pemHeader =
  /-{4,5} ?BEGIN(?:[ +]|%20)(?:[A-Z0-9+ ]|%20){0,40}?PRIVATE(?:[ +]|%20)KEY(?:(?:[ +]|%20)BLOCK)? ?-{0,5}/g
const pemFooter =
  /-{4,5} ?END(?:[ +]|%20)(?:[A-Z0-9+ ]|%20){0,40}?PRIVATE(?:[ +]|%20)KEY(?:(?:[ +]|%20)BLOCK)? ?-{0,5}/g

/** One more line of a key whose end was cut off, with real, JSON-escaped or URL-encoded line breaks. */
const pemLine =
  /(?:\s|\\[nr]|%0[AD]){0,8}(?:(?:Proc-Type|DEK-Info|Version|Comment): [^\r\n\\]{0,200}|(?:[A-Za-z0-9/=+]|%[23][0-9A-F]){16,})/y
const pemTail = /(?:\s|\\[nr]|%0[AD]){0,8}[A-Za-z0-9/=+]{1,15}(?=$|["'`]|\s*$)/y

const runFrom = (text: string, from: number): number => {
  let end = from
  pemLine.lastIndex = end
  while (pemLine.test(text)) end = pemLine.lastIndex
  pemTail.lastIndex = end
  return pemTail.test(text) ? pemTail.lastIndex : end
}

const redactPem = (text: string): string => {
  const headers = [...text.matchAll(pemHeader)]
  const footers = [...text.matchAll(pemFooter)]
  if (headers.length === 0) return text
  const parts: Array<string> = []
  let position = 0
  let next = 0
  for (const [index, header] of headers.entries()) {
    const body = header.index + header[0].length
    while (next < footers.length && (footers[next]?.index ?? 0) < body) next++
    const footer = footers[next]
    const limit = headers[index + 1]?.index ?? text.length
    const end = footer && footer.index < limit ? footer.index + footer[0].length : runFrom(text, body)
    parts.push(text.slice(position, header.index), marker)
    position = end
  }
  parts.push(text.slice(position))
  return parts.join("")
}

/** Takes out private key blocks; of a block without an end, all lines that look like its own. */
export const privateKeys: Step = { signs: ["private key", "private+key", "private%20key"], redact: redactPem }

const isTemplate = (value: string): boolean => /^(?:\$|\{|<|%[A-Z_]+%$|\*+$|\[)/.test(value)

const looksGenerated = (value: string): boolean =>
  value.length >= 20 && /\d/.test(value) && /[A-Za-z]/.test(value)

/** `://user:pass@`, also as `:\/\/` in escaped JSON. The last `@` before the host ends the password. */
const userinfo = /(:(?:\/\/|\\\/\\\/)[^\s/?#:@"'<>\\]{0,200}:)([^\s/?#"'<>\\]{1,400})@/g
/** `://token@`: a user without a password is a secret only when it looks like one. */
const soleUser = /(:\/\/)([^\s/?#:@"'<>\\]{20,400})@/g
const encodedUserinfo = /(%3A%2F%2F[^\s%"'<>]{0,200}%3A)((?:[^\s"'<>&%]|%(?!40|2F)){1,400})%40/gi
/** Query parameters that sign a URL: whoever has the URL has the access. */
const signedQuery =
  /((?:[?&;]|%3F|%26|\\u0026)(?:X-(?:Amz|Goog|Oss)-(?:Signature|Credential|Security-Token)|sig|signature|hmac|hdnts)(?:=|%3D))((?:[^\s&"'<>#%\\]|%(?!26|23)){4,4096})/gi
/** `curl -u user:pass`, without what is a template. */
const curlUser =
  /(\s(?:-u|--user)[ =]["']?[^\s:"']{1,100}:)(?!\$|\{|<|\[|(?:%[A-Z_]+%|\*+)(?:[\s"']|$))[^\s"']{1,200}/g

const redactUrls = (text: string): string => {
  let result = text
  if (result.includes("@") && (result.includes("://") || result.includes(":\\/"))) {
    result = result
      .replace(userinfo, (match, head: string, password: string) =>
        isTemplate(password) ? match : `${head}${marker}@`
      )
      .replace(soleUser, (match, head: string, user: string) =>
        looksGenerated(user) ? `${head}${marker}@` : match
      )
  }
  if (result.includes("%40")) result = result.replace(encodedUserinfo, `$1${marker}%40`)
  if (/sig|hmac|hdnts|-credential|-security/i.test(result))
    result = result.replace(signedQuery, `$1${marker}`)
  if (result.includes("curl")) result = result.replace(curlUser, `$1${marker}`)
  return result
}

/** Takes out passwords in URLs, and what signs one. */
export const urls: Step = {
  signs: ["@", "%40", "curl", "sig=", "sig%3d", "signature", "hmac", "hdnts", "-credential", "-security"],
  redact: redactUrls
}

/** `Authorization: Bearer …` with the scheme kept; some schemes carry a whole line of parameters. */
const authorization =
  /(authorization(?:\\?["'`])?\]?[ \t]{0,8}[:=][ \t]{0,8}(?:\\?["'`])?(?:bearer|basic|token|apikey|api-key|negotiate|ntlm|nostr|bot|key)[ \t]{1,8})([^\s"'`\\,;(){}]{1,8192})(?![A-Za-z0-9(])/gi
const authorizationLine =
  /(authorization(?:\\?["'`])?\]?[ \t]{0,8}[:=][ \t]{0,8}(?:\\?["'`])?(?:digest|oauth|hawk|aws4-hmac-sha256|signature)[ \t]{1,8})([^\r\n\\]{1,8192})/gi
const bearer =
  /((?<![A-Za-z0-9])bearer(?:[ \t+]|%20|["':=]){1,4})(?=[A-Za-z0-9._~+/=-]{16}|[A-Za-z0-9._~+/=-]{0,15}\d)([A-Za-z0-9._~+/=-]{6,})/gi
const basic = /((?<![A-Za-z0-9])basic(?:[ \t+]|%20){1,4})([A-Za-z0-9+/]{6,}={0,2})/gi
const cookie =
  /(cookie2?(?:\\?["'`])?\]?[ \t]{0,8}[:=][ \t]{0,8}(?:\\?["'`])?)([^\s"'`=;:,\\]{1,200}=[^\r\n"'`\\]{1,8192})/gi

/** A word of prose after `Bearer`: `Bearer token`, `bearer authentication`. */
const isProse = (value: string): boolean =>
  /^[A-Za-z]{1,19}[.,]?$/.test(value) && !/[a-z][A-Z]/.test(value.slice(1))

/** Base64 of `user:password`; anything else after `Basic` is prose. */
const isUserPair = (value: string): boolean =>
  /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value, "base64").toString("latin1"))

const redactHeaders = (text: string): string => {
  let result = text
  if (/authorization/i.test(result)) {
    result = result
      .replace(authorization, (match, head: string, value: string) =>
        isTemplate(value) || /^(?:token|key|auth\w*|scheme|header\w*|is|and|or|for)$/i.test(value)
          ? match
          : head + marker
      )
      .replace(authorizationLine, (match, head: string, rest: string) =>
        /[="]/.test(rest) ? head + marker : match
      )
  }
  if (/bearer/i.test(result))
    result = result.replace(bearer, (match, head: string, value: string) =>
      isProse(value) || /^[.\-/_=]/.test(value) ? match : head + marker
    )
  if (/basic/i.test(result))
    result = result.replace(basic, (match, head: string, value: string) =>
      isUserPair(value) ? head + marker : match
    )
  if (/cookie/i.test(result)) result = result.replace(cookie, (_match, head: string) => head + marker)
  return result
}

/** Takes out credentials in headers, be it in a request, in code, or in a sentence. */
export const headers: Step = {
  signs: ["authorization", "bearer", "basic", "cookie"],
  redact: redactHeaders
}

/** `<password>…</password>` */
const element = /<([A-Za-z][\w:.-]{1,60})>([^<>\s][^<>]{0,500})<\//g

/** Takes out what stands in elements of secret names. */
export const elements: Step = {
  signs: ["</"],
  redact: (text) =>
    text.replace(element, (match, name: string, value: string) => {
      const kind = kindOf(name)
      return kind === "strong" || (kind === "plain" && !/\s/.test(value)) ? `<${name}>${marker}</` : match
    })
}
