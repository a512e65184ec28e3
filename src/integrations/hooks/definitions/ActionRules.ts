import { Either } from "effect"
import type { ActorContext } from "../../../kernel/Actor.ts"
import type { Issue } from "../../../kernel/Failures.ts"
import { staysHere } from "../../../kernel/Loopback.ts"
import type { OutboundService } from "../../../kernel/outbound/Outbound.ts"
import { type SecretsService, secretIssues } from "../../../kernel/Secrets.ts"
import type { Hook, HookAction } from "./Hook.ts"
import { holdsCredential, publicPart } from "./UrlCredential.ts"

/** The services that judge an action: where requests may go, and which secrets may go there. */
export interface Judges {
  readonly outbound: OutboundService
  readonly secrets: SecretsService
}

const refused =
  "must hold no credential: put it into a variable of the server that SERVICE_SECRETS lists, and name the variable in action.credentialRef, which is sent as Authorization: Bearer; where the URL itself is the secret, name a variable with the whole URL in action.urlRef"

/** Whether nobody on the way to a URL can read what is sent: it is https, or leads to this machine. */
export const isPrivate = (url: URL): boolean => url.protocol === "https:" || staysHere(url.hostname)

const urlIssues = ({ credentialRef, url }: HookAction, { outbound }: Judges): ReadonlyArray<Issue> => {
  const issue = (message: string): ReadonlyArray<Issue> => [{ path: "action.url", message }]
  return url === undefined
    ? []
    : Either.match(outbound.check(url), {
        // A user name is a credential in the URL too, with the same remedy.
        onLeft: ({ message, reason }) => issue(reason === "credentials-in-url" ? refused : message),
        onRight: (found) => {
          if (holdsCredential(found)) return issue(refused)
          return credentialRef !== undefined && !isPrivate(found)
            ? issue("must be https: a credential goes there, and http would show it to everybody on the way")
            : []
        }
      })
}

const references = ["urlRef", "secretRef", "credentialRef"] as const

/** All faults of an action. The value of a variable is checked when it is used: it may not be set yet. */
export const actionIssues = (action: HookAction, judges: Judges): ReadonlyArray<Issue> => [
  ...urlIssues(action, judges),
  ...references.flatMap((field) =>
    secretIssues(judges.secrets, `action.${field}`, action[field], { for: "request", url: action.url })
  )
]

/**
 * The fields of an action that only an administrator may set (ruling 109): a secret that was not named before, and
 * another URL for the secrets that were.
 */
export const secretsMoved = (action: HookAction, before: HookAction | undefined): ReadonlyArray<string> => {
  const hasSecret = action.secretRef !== undefined || action.credentialRef !== undefined
  return [
    ...references.filter((field) => action[field] !== undefined && action[field] !== before?.[field]),
    ...(before !== undefined && hasSecret && action.url !== undefined && action.url !== before.url
      ? ["url"]
      : [])
  ].map((field) => `action.${field}`)
}

/** A hook as it is shown to an actor: without the permission to write hooks, only the public part of its URL. */
export const shownTo =
  ({ permissions }: ActorContext) =>
  (hook: Hook): Hook =>
    permissions.has("settings:write") || hook.action.url === undefined
      ? hook
      : { ...hook, action: { ...hook.action, url: publicPart(hook.action.url) } }
