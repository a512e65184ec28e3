import { Schema } from "effect"

/** Why a team chat, or a delivery to it, is not as it should be. Clients act on the code; `sentences` are for people. */
export const Reason = Schema.Literal(
  "ok",
  "adapter_disabled",
  "webhook_missing",
  "webhook_unreadable",
  "credential_missing",
  "credential_invalid",
  "credential_unreadable",
  "network_policy_blocked",
  "webhook_unreachable",
  "webhook_timeout",
  "response_too_large",
  "circuit_open",
  "redirect_refused",
  "authentication_rejected",
  "webhook_gone",
  "rate_limited",
  "webhook_unavailable",
  "webhook_error",
  "webhook_refused",
  "interrupted"
).annotations({ identifier: "TeamchatReason" })
export type Reason = typeof Reason.Type

const lost =
  "was sealed on another machine, or the key of the vault is lost: restore vault-key.json, or PUT it again"

/** What a code means, and what to do. */
export const sentences: Record<Reason, string> = {
  ok: "All is well",
  adapter_disabled: "The adapter is switched off: PUT it with enabled true",
  webhook_missing: "The adapter has no webhookUrl, so it receives replies and sends nothing",
  webhook_unreadable: `The webhook ${lost}`,
  credential_missing:
    "The variable that the credential names is not set, or SERVICE_SECRETS does not list it, or binds it to another host",
  credential_invalid: "The variable that the credential names holds no bearer token",
  credential_unreadable: `The credential ${lost}`,
  network_policy_blocked: "The webhook's name leads to an address that this adapter may not reach",
  webhook_unreachable: "The webhook can't be reached",
  webhook_timeout: "The webhook did not answer in time, and may have got the message",
  response_too_large: "The webhook answered with more than is read, and may have got the message",
  circuit_open: "The webhook failed several times in a row and is left alone for a while",
  redirect_refused: "The webhook redirects, and redirects are not followed",
  authentication_rejected: "The webhook refused the credential",
  webhook_gone: "There is no such webhook",
  rate_limited: "The webhook asks for a pause: send the message again later",
  webhook_unavailable: "The webhook is out of order for now: send the message again later",
  webhook_error: "The webhook failed",
  webhook_refused: "The webhook refused the message",
  interrupted: "The server stopped before the webhook had answered, which may have got the message"
}

/** What the status of an answer means; undefined when the message has arrived. */
export const reasonOf = (status: number): Reason | undefined => {
  if (status >= 200 && status < 300) return undefined
  if (status < 400) return "redirect_refused"
  switch (status) {
    case 401:
    case 403:
      return "authentication_rejected"
    case 404:
    case 410:
      return "webhook_gone"
    case 429:
      return "rate_limited"
    case 502:
    case 503:
    case 504:
      return "webhook_unavailable"
    default:
      return status >= 500 ? "webhook_error" : "webhook_refused"
  }
}
