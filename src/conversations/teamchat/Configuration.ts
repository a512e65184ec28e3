import { Either, Redacted } from "effect"
import { isBearerToken } from "../../kernel/BearerToken.ts"
import type { Issue } from "../../kernel/Failures.ts"
import type { SecretReference } from "../../kernel/SecretReference.ts"
import { type SecretsService, secretIssues } from "../../kernel/Secrets.ts"
import type { TeamchatAdapter, TeamchatAdapterBody } from "../adapters/Adapter.ts"
import { isReference } from "./Credential.ts"
import { hrefOf, redactedOf, webhookOf } from "./Webhook.ts"

/** What an adapter is when a PUT names nothing else. */
const unset = {
  deliveryMode: "webhook",
  destinationType: "channel",
  tenantId: null,
  teamId: null,
  channelId: null,
  allowLocalhost: false,
  allowPrivateNetwork: false,
  webhookUrlConfigured: false,
  webhookUrlRedacted: null,
  hasCredential: false
} as const

/** A reference is taken as it is, a token must be one that a header can carry. */
const credentialIssues = ({ credential }: TeamchatAdapterBody): ReadonlyArray<Issue> => {
  if (credential === undefined || credential === null) return []
  const value = Redacted.value(credential)
  if (value.startsWith("env:"))
    return isReference(value)
      ? []
      : [
          {
            path: "credential",
            message: "Expected env:NAME, the name of a variable that SERVICE_SECRETS lists"
          }
        ]
  return isBearerToken(value)
    ? []
    : [{ path: "credential", message: "Expected visible ASCII without blanks, as a bearer token has it" }]
}

/** What is stored of an adapter that a PUT changes. */
export interface Stored {
  readonly before: TeamchatAdapter | undefined
  /** The credential as it is stored: sealed, or the name of a variable. */
  readonly credential: string | null
  /** The whole webhook, while it can be read. */
  readonly webhookUrl: string | undefined
}

/**
 * Whether a PUT takes the webhook of a stored credential to another host, or away. The credential was for that host: a
 * sealed one is dropped, and the name of a variable must be given again (ruling 109).
 */
const isLeftBehind = (
  { credential, webhookUrl }: TeamchatAdapterBody,
  before: TeamchatAdapter | undefined,
  origin: string | undefined
): boolean => {
  const known = before?.webhookUrlRedacted ?? undefined
  return (
    credential === undefined &&
    before?.hasCredential === true &&
    webhookUrl !== undefined &&
    known !== undefined &&
    new URL(known).origin !== origin
  )
}

/** What is wrong with the variable that a PUT leaves the credential in. */
export const referenceIssues = (
  body: TeamchatAdapterBody,
  after: TeamchatAdapter,
  stored: Stored,
  secrets: SecretsService
): ReadonlyArray<Issue> => {
  const shown = after.webhookUrlRedacted ?? undefined
  const origin = shown === undefined ? undefined : new URL(shown).origin
  return isLeftBehind(body, stored.before, origin) && isReference(stored.credential)
    ? [
        {
          path: "credential",
          message: "Expected the credential again, or null: the webhook was at another host when it was named"
        }
      ]
    : secretIssues(secrets, "credential", referenceOf(body, stored), { for: "request", url: origin })
}

/** The variable that a PUT leaves the credential in, when it does. */
const referenceOf = ({ credential }: TeamchatAdapterBody, stored: Stored): SecretReference | undefined => {
  const named = credential === undefined ? stored.credential : credential && Redacted.value(credential)
  return isReference(named) ? named : undefined
}

/**
 * The team chat that a PUT leads to, or all that is wrong with it (spec 2-relay, Adapter configuration). What the body
 * does not name keeps its value. Of the webhook it has what may be shown, of the credential that there is one.
 */
export const configured = (
  id: string,
  body: TeamchatAdapterBody,
  { before }: Stored,
  at: string
): Either.Either<TeamchatAdapter, ReadonlyArray<Issue>> => {
  const { credential, webhookUrl, ...named } = body
  const base = { ...unset, ...before, ...named }
  // The stored URL is sealed; what is shown of it has the scheme and the host, which is what the flags are about.
  const text = webhookUrl === undefined ? base.webhookUrlRedacted : webhookUrl
  const url = text === null ? undefined : webhookOf(text, base)
  const found = url !== undefined && Either.isRight(url) ? url.right : undefined
  const isLeft = isLeftBehind(body, before, found?.origin)
  const issues: ReadonlyArray<Issue> = [
    ...(url !== undefined && Either.isLeft(url) ? [url.left] : []),
    ...credentialIssues(body)
  ]
  if (issues.length > 0) return Either.left(issues)
  return Either.right({
    ...base,
    id,
    webhookUrlConfigured: found !== undefined,
    webhookUrlRedacted:
      webhookUrl === undefined ? base.webhookUrlRedacted : found === undefined ? null : redactedOf(found),
    hasCredential: credential === undefined ? base.hasCredential && !isLeft : credential !== null,
    createdAt: before?.createdAt ?? at,
    updatedAt: at
  })
}

const flags = ["allowLocalhost", "allowPrivateNetwork"] as const

/**
 * The fields of a PUT that only an administrator may set (ruling 109): a webhook or a credential other than the stored
 * one, and a wider choice of places for a webhook that is kept. A webhook is a secret too, and it is never shown, so
 * whoever names it enters it.
 */
export const administrative = (
  { credential, webhookUrl, ...named }: TeamchatAdapterBody,
  { before, ...stored }: Stored
): ReadonlyArray<string> => {
  const isKept = before?.webhookUrlConfigured === true && webhookUrl !== null
  const entersWebhook = typeof webhookUrl === "string" && hrefOf(webhookUrl) !== stored.webhookUrl
  const entersCredential =
    credential !== undefined && credential !== null && Redacted.value(credential) !== stored.credential
  return [
    ...(entersWebhook ? ["webhookUrl"] : []),
    ...(entersCredential ? ["credential"] : []),
    ...(isKept ? flags.filter((field) => named[field] === true && !before[field]) : [])
  ]
}
