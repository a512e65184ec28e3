import { hostOf, placeOf } from "../../../kernel/outbound/Target.ts"
import { isSecretName, redactText } from "../../../kernel/Redaction.ts"
import { isUrl } from "../../../kernel/UrlSyntax.ts"

/** Services whose webhooks have a secret in the path: the pattern of the host, and of such a path. */
const services: ReadonlyArray<readonly [host: RegExp, path: RegExp]> = [
  [/^hooks\.slack(?:-gov)?\.com$/, /^\/(?:services|workflows|triggers)\/./],
  [/^(?:\w+\.)?discord(?:app)?\.com$/, /^\/api\/(?:v\d+\/)?webhooks\/./],
  [/^(?:[\w-]+\.)*office(?:365)?\.com$/, /^\/webhook/],
  [/^hooks\.zapier\.com$/, /^\/hooks\/./],
  [/^maker\.ifttt\.com$/, /\/key\/./],
  [/^api\.telegram\.org$/, /^\/(?:file\/)?bot./],
  [/^hook\.[\w.-]*(?:make|integromat)\.com$/, /^\/./],
  [/^webhooks\.gitter\.im$/, /^\/e\/./],
  [/^open\.(?:feishu\.cn|larksuite\.com)$/, /^\/open-apis\/bot\/./],
  [/^hooks\.chime\.aws$/, /^\/incomingwebhooks\/./]
]

/** Mattermost, Rocket.Chat and the like, at any host: a generated id below `/hooks/`. */
const generatedHook = /^\/(?:[\w-]+\/)?hooks\/[A-Za-z0-9]{17,}(?:\/|$)/

/** Names of query parameters that look harmless, but carry the secret of a webhook. */
const carriers = /^(?:key|sig|sign|signature|auth|hmac|x-amz-signature|x-goog-signature)$/i

const isCredential = (name: string, value: string): boolean =>
  value !== "" &&
  (isSecretName(name) ||
    carriers.test(name) ||
    (/^code$/i.test(name) && value.length >= 16) ||
    redactText(value) !== value)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether a path holds a secret. */
const hasSecretPath = (url: URL): boolean => {
  const path = decoded(url.pathname)
  return (
    services.some(([host, begin]) => host.test(hostOf(url)) && begin.test(path)) ||
    generatedHook.test(path) ||
    path.split("/").some((segment) => redactText(segment) !== segment)
  )
}

/** Whether a URL holds a credential: a user, a parameter with a secret, or a secret path (ruling 109). */
export const holdsCredential = (url: URL): boolean =>
  url.username !== "" ||
  url.password !== "" ||
  [...url.searchParams].some(([name, value]) => isCredential(name, value)) ||
  redactText(url.hash) !== url.hash ||
  hasSecretPath(url)

/**
 * A hook's URL as it is shown to those who may not write it: without its query, and without a secret path, which hooks
 * from before such URLs were refused may still have.
 */
export const publicPart = (text: string): string => {
  if (!isUrl(text)) return ""
  const url = new URL(text)
  return `${url.protocol}//${placeOf(url)}${hasSecretPath(url) ? "/***" : url.pathname}`
}
