import { Schema } from "effect"
import type { Issue } from "../../kernel/Failures.ts"
import { kept } from "../../kernel/Incoming.ts"
import { staysHere } from "../../kernel/Loopback.ts"
import { optional } from "../../kernel/Optional.ts"
import { SecretReference } from "../../kernel/SecretReference.ts"
import { nonBlank, strict } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { urlText } from "../../kernel/UrlText.ts"
import { TrackerProvider } from "./profiles/Provider.ts"

/**
 * Where a tracker is, and which variable of the environment holds its credential. The credential itself is never
 * stored.
 */
export const Connection = Schema.Struct({
  provider: TrackerProvider,
  baseUrl: optional(Schema.String),
  project: Schema.String,
  enabled: Schema.Boolean,
  credentialRef: optional(SecretReference),
  updatedAt: Timestamp,
  updatedBy: Schema.String
})
export type Connection = typeof Connection.Type

/** The connection as it is shown; without one, `configured` is false and the rest is absent. */
export const TrackerConnection = Schema.Struct({
  configured: Schema.Boolean.annotations({ description: "False until somebody has set a connection" }),
  provider: optional(TrackerProvider),
  baseUrl: optional(Schema.String),
  project: optional(Schema.String),
  enabled: Schema.Boolean,
  credentialRef: optional(SecretReference),
  credentialAvailable: Schema.Boolean.annotations({
    description: "Whether SERVICE_SECRETS lists the variable that `credentialRef` names"
  }),
  updatedAt: optional(Timestamp),
  updatedBy: optional(Schema.String)
}).annotations({ identifier: "TrackerConnection" })
export type TrackerConnection = typeof TrackerConnection.Type

const rawCredential =
  "A credential itself is not taken: put it into a variable of the server, list the variable in SERVICE_SECRETS, and send credentialRef: env:NAME"

/** The body that sets the connection, as a whole. */
export const TrackerConnectionDraft = Schema.Struct({
  provider: TrackerProvider,
  baseUrl: optional(urlText(2_000)),
  project: nonBlank(200),
  enabled: optional(Schema.Boolean),
  credentialRef: optional(SecretReference),
  credential: optional(Schema.Unknown.pipe(kept("It is refused, whatever it is."))).annotations({
    description: `Always refused. ${rawCredential}`
  })
})
  .pipe(
    Schema.filter((draft) =>
      "credential" in draft ? { path: ["credential"], message: rawCredential } : undefined
    )
  )
  .annotations({ identifier: "TrackerConnectionDraft", ...strict })
export type TrackerConnectionDraft = typeof TrackerConnectionDraft.Type

/** The address of github.com's API. */
export const githubUrl = "https://api.github.com"

/** Where the calls of a connection go; undefined for the sample tracker, which is built in. */
export const addressOf = ({
  baseUrl,
  provider
}: {
  readonly provider: TrackerProvider
  readonly baseUrl?: string | undefined
}): string | undefined => (provider === "local" ? undefined : (baseUrl?.replace(/\/+$/, "") ?? githubUrl))

/** The fields of a connection that only an administrator may set: its credential, and where that goes (ruling 109). */
export const secretsMoved = (
  draft: TrackerConnectionDraft,
  before: Connection | undefined
): ReadonlyArray<string> => {
  if (draft.credentialRef === undefined) return []
  const moved = before === undefined || addressOf(draft) !== addressOf(before)
  return [
    ...(draft.credentialRef === before?.credentialRef ? [] : ["credentialRef"]),
    ...(moved && before !== undefined ? [draft.provider === before.provider ? "baseUrl" : "provider"] : [])
  ]
}

/** What is wrong with the address of a tracker, beyond the rules for every outbound address. */
export const baseUrlIssues = (url: URL, hasCredential: boolean): ReadonlyArray<Issue> => {
  const issue = (message: string): ReadonlyArray<Issue> => [{ path: "baseUrl", message }]
  if (url.search !== "" || url.hash !== "") return issue("must have no query and no fragment")
  return hasCredential && url.protocol !== "https:" && !staysHere(url.hostname)
    ? issue("must be https: a credential goes there, and http would show it to everybody on the way")
    : []
}

const owned = /^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/
const plain = /^[A-Za-z0-9_.-]{1,100}$/

/** What is wrong with the name of a project at a provider. */
export const projectIssues = (provider: TrackerProvider, project: string): ReadonlyArray<Issue> => {
  const fits = provider === "github" ? owned.test(project) : owned.test(project) || plain.test(project)
  const expected = provider === "github" ? "owner/name" : "letters, digits, dots and dashes, or owner/name"
  // A dot segment would lead requests to another path.
  return fits && !project.split("/").some((part) => /^\.{1,2}$/.test(part))
    ? []
    : [{ path: "project", message: `Expected ${expected}` }]
}
