import { Either } from "effect"
import type { Issue } from "../../../kernel/Failures.ts"
import { isSecretName, redactText } from "../../../kernel/Redaction.ts"
import type { RelayAdapter, RelayAdapterBody, VersionCommand } from "../../communication/Adapter.ts"
import { asStored, communityFrom, endpointsOf } from "./Endpoints.ts"

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
