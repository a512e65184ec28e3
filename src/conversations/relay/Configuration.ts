import { Either } from "effect"
import type { Issue } from "../../kernel/Failures.ts"
import { isSecretName, redactText } from "../../kernel/Redaction.ts"
import { type SecretsService, secretIssues } from "../../kernel/Secrets.ts"
import type { RelayAdapter, RelayAdapterBody, VersionCommand } from "../adapters/Adapter.ts"
import { asStored, communityFrom, endpointsOf } from "../relay-access/Endpoints.ts"

const isCredentialLike = (arg: string): boolean =>
  redactText(arg) !== arg ||
  /nsec1[0-9a-z]{8,}/i.test(arg) ||
  /[0-9a-f]{64}/i.test(arg) ||
  isSecretName(arg.replace(/^-+/, "").replace(/=.*$/s, ""))

const commandIssues = (command: VersionCommand | null): ReadonlyArray<Issue> =>
  [command?.executable ?? "", ...(command?.args ?? [])].flatMap((part, index) =>
    part !== "" && isCredentialLike(part)
      ? [
          {
            path: index === 0 ? "command.executable" : `command.args.${index - 1}`,
            message: "Expected no credential: the command only tells a version"
          }
        ]
      : []
  )

/** The fields of a relay adapter that name secrets. */
const references = ["credentialRef", "authTagRef"] as const

/**
 * What is wrong with the secrets that a PUT leaves an adapter with. A secret is for the origin that it was named for:
 * after a move it must be named again, or cleared with null (ruling 109).
 */
export const referenceIssues = (
  body: RelayAdapterBody,
  after: RelayAdapter,
  before: RelayAdapter | undefined,
  secrets: SecretsService
): ReadonlyArray<Issue> => {
  const isMoved =
    before !== undefined && new URL(before.relayHttpUrl).origin !== new URL(after.relayHttpUrl).origin
  return references.flatMap((path) =>
    isMoved && before[path] !== null && body[path] === undefined
      ? [
          {
            path,
            message: "Expected the name again, or null: the relay was at another address when it was named"
          }
        ]
      : secretIssues(secrets, path, after[path], { for: "relay-adapter", url: after.relayHttpUrl })
  )
}

/** What an adapter is when a PUT names nothing else. */
const unset = {
  relayWebSocketUrl: null,
  expectedCommunity: null,
  publicKey: null,
  credentialRef: null,
  authTagRef: null,
  allowLocalhost: false,
  allowPrivateNetwork: false,
  command: null
} as const

/**
 * The adapter that a PUT leads to, or all that is wrong with it (spec 2-relay, Adapter configuration). What the body
 * does not name keeps its value.
 */
export const configured = (
  id: string,
  { relayHttpUrl, ...body }: RelayAdapterBody,
  before: RelayAdapter | undefined,
  at: string
): Either.Either<RelayAdapter, ReadonlyArray<Issue>> => {
  const url = asStored(relayHttpUrl, before?.relayHttpUrl) ?? before?.relayHttpUrl
  if (url === undefined)
    return Either.left([{ path: "relayHttpUrl", message: "Expected the relay's https URL" }])
  const adapter: RelayAdapter = {
    ...unset,
    ...before,
    ...body,
    relayHttpUrl: url,
    relayWebSocketUrl:
      body.relayWebSocketUrl === undefined
        ? (before?.relayWebSocketUrl ?? null)
        : asStored(body.relayWebSocketUrl, before?.relayWebSocketUrl),
    id,
    createdAt: before?.createdAt ?? at,
    updatedAt: at
  }
  const community =
    adapter.expectedCommunity === null ? null : (communityFrom(adapter.expectedCommunity) ?? undefined)
  const endpoints = endpointsOf(adapter.relayHttpUrl, adapter.relayWebSocketUrl, adapter)
  const issues: ReadonlyArray<Issue> = [
    ...Either.match(endpoints, { onLeft: (issue) => [issue], onRight: () => [] }),
    ...(community === undefined
      ? [{ path: "expectedCommunity", message: "Expected a host, with its port if it has one of its own" }]
      : []),
    ...commandIssues(adapter.command)
  ]
  return Either.isRight(endpoints) && community !== undefined && issues.length === 0
    ? Either.right({
        ...adapter,
        relayHttpUrl: endpoints.right.http,
        relayWebSocketUrl: adapter.relayWebSocketUrl === null ? null : endpoints.right.webSocket,
        expectedCommunity: community
      })
    : Either.left(issues)
}

/** What decides where a relay's secrets are used, beside the flags. */
const places = ["relayHttpUrl", "relayWebSocketUrl", "expectedCommunity"] as const

const flags = ["allowLocalhost", "allowPrivateNetwork"] as const

/**
 * The fields of a write that only an administrator may set (rulings 108, 109): another program, a secret that was not
 * named before, and for an adapter with a secret another place, or a wider choice of places.
 */
export const administrative = (
  after: RelayAdapter,
  before: RelayAdapter | undefined
): ReadonlyArray<string> => {
  const isKept = references.some((field) => after[field] !== null)
  return [
    ...(after.command !== null && !isSameCommand(after.command, before?.command ?? null) ? ["command"] : []),
    ...references.filter((field) => after[field] !== null && after[field] !== before?.[field]),
    ...(before !== undefined && isKept ? places.filter((field) => after[field] !== before[field]) : []),
    ...(before !== undefined && isKept ? flags.filter((field) => after[field] && !before[field]) : [])
  ]
}

const isSameCommand = (one: VersionCommand, other: VersionCommand | null): boolean =>
  one.executable === other?.executable && JSON.stringify(one.args) === JSON.stringify(other.args)
