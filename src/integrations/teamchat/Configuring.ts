import { Either, Redacted } from "effect"
import type { Issue } from "../../kernel/Failures.ts"
import type { TeamchatAdapter, TeamchatAdapterBody } from "../communication/Adapter.ts"
import { isReference, isToken } from "./Credential.ts"
import { redactedOf, webhookOf } from "./Webhook.ts"

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
  return isToken(value)
    ? []
    : [{ path: "credential", message: "Expected visible ASCII without blanks, as a bearer token has it" }]
}

/** A stored credential goes to the host that it was entered for, and to no other one that somebody puts there later. */
const strayIssues = (
  { credential, webhookUrl }: TeamchatAdapterBody,
  before: TeamchatAdapter | undefined,
  origin: string | undefined
): ReadonlyArray<Issue> => {
  const kept = credential === undefined && before?.hasCredential === true
  const known = before?.webhookUrlRedacted ?? undefined
  return kept &&
    typeof webhookUrl === "string" &&
    origin !== undefined &&
    known !== undefined &&
    new URL(known).origin !== origin
    ? [
        {
          path: "credential",
          message:
            "Expected the credential again, or null: the webhook leads to another host than the one it was entered for"
        }
      ]
    : []
}

/**
 * The team chat that a PUT leads to, or all that is wrong with it (spec 2-relay, Adapter configuration). What the body
 * does not name keeps its value. Of the webhook it has what may be shown, of the credential that there is one.
 */
export const configured = (
  id: string,
  body: TeamchatAdapterBody,
  before: TeamchatAdapter | undefined,
  at: string
): Either.Either<TeamchatAdapter, ReadonlyArray<Issue>> => {
  const { credential, webhookUrl, ...named } = body
  const base = { ...unset, ...before, ...named }
  // The stored URL is sealed; what is shown of it has the scheme and the host, which is what the flags are about.
  const text = webhookUrl === undefined ? base.webhookUrlRedacted : webhookUrl
  const url = text === null ? undefined : webhookOf(text, base)
  const found = url !== undefined && Either.isRight(url) ? url.right : undefined
  const issues: ReadonlyArray<Issue> = [
    ...(url !== undefined && Either.isLeft(url) ? [url.left] : []),
    ...credentialIssues(body),
    ...strayIssues(body, before, found?.origin)
  ]
  if (issues.length > 0) return Either.left(issues)
  return Either.right({
    ...base,
    id,
    webhookUrlConfigured: found !== undefined,
    webhookUrlRedacted:
      webhookUrl === undefined ? base.webhookUrlRedacted : found === undefined ? null : redactedOf(found),
    hasCredential: credential === undefined ? base.hasCredential : credential !== null,
    createdAt: before?.createdAt ?? at,
    updatedAt: at
  })
}
