import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { type Event, EventUtils } from "@nostr-relay/common"
import { overBudget } from "./Budget.ts"
import { type Context, validator } from "./Context.ts"
import { isMember } from "./Membership.ts"
import { type Settings, secondsOf } from "./Settings.ts"
import { tagsNamed, tagValue } from "./Tags.ts"

/** Who asks, or the status and body of the refusal. */
export type Authorised =
  | { readonly publicKey: string }
  | { readonly status: number; readonly body: Readonly<Record<string, string>> }

/** The event in an `Authorization: Nostr` header, in standard base64 with its padding. */
export const authEventOf = async (request: IncomingMessage): Promise<Event | undefined> => {
  const [scheme, token = "", ...more] = (request.headers.authorization ?? "").split(" ")
  const bytes = Buffer.from(token, "base64")
  if (scheme !== "Nostr" || more.length > 0 || bytes.toString("base64") !== token) return undefined
  try {
    return await validator.validateEvent(JSON.parse(bytes.toString()))
  } catch {
    return undefined
  }
}

/** Lower-case scheme and host, no slashes at the end: the form in which URLs are compared. */
export const comparable = (url: string): string => {
  if (!URL.canParse(url)) return url
  const { host, pathname, protocol, search } = new URL(url)
  return `${protocol}//${host}${pathname.replace(/\/+$/, "")}${search}`
}

interface Expected {
  readonly url: string
  readonly method: string
  readonly body: Buffer
}

/** What is wrong with the event of a request (NIP-98), in the words of the wire. */
const fault = (event: Event, { body, method, url }: Expected, settings: Settings): string | undefined => {
  if (event.kind !== 27235) return "invalid kind"
  if (event.content !== "") return "content must be empty"
  const delta = event.created_at - secondsOf(settings)
  if (Math.abs(delta) > settings.authWindowSeconds) {
    return `timestamp out of range: ${delta}s from server time`
  }
  const [given = "", ...more] = tagsNamed(event, "u").map(([, value = ""]) => value)
  if (more.length > 0 || comparable(given) !== comparable(url)) {
    // Relays of the family tell their own idea of the URL here, internal names included.
    return `URL mismatch: expected ${url}, got ${given}`
  }
  if (tagValue(event, "method")?.toUpperCase() !== method) return "method mismatch"
  const payload = tagValue(event, "payload")
  if (payload !== undefined && payload !== createHash("sha256").update(body).digest("hex")) {
    return "payload hash mismatch"
  }
  return EventUtils.isIdValid(event) && EventUtils.isSigValid(event) ? undefined : "invalid signature"
}

const refuse = (status: number, error: string, more = {}) => ({ status, body: { error, ...more } })

/** Checks requests; each id of an event opens the door once within two minutes. */
export class HttpAuth {
  private readonly context: Context
  private readonly used = new Map<string, number>()

  constructor(context: Context) {
    this.context = context
  }

  authorise(event: Event | undefined, request: IncomingMessage, body: Buffer, path: string): Authorised {
    const { budget, settings } = this.context
    if (request.headers.authorization === undefined) return refuse(401, "missing Nostr auth")
    if (event === undefined) return refuse(401, "NIP-98: malformed authorization")
    const url = `${settings.scheme}://${request.headers.host}${path}`
    const wrong = fault(event, { url, method: request.method ?? "", body }, settings)
    if (wrong !== undefined) return refuse(401, `NIP-98: ${wrong}`)
    if (this.isReplayed(event.id)) return refuse(401, "NIP-98: replay detected")
    const wait = budget.spend("httpPerMinute", event.pubkey)
    if (wait !== undefined) return refuse(429, overBudget(wait))
    if (!isMember(settings, event.pubkey, attestation(request), event.created_at)) {
      return refuse(403, "relay_membership_required", { message: "You must be a member of this relay" })
    }
    return { publicKey: event.pubkey }
  }

  private isReplayed(id: string): boolean {
    const now = this.context.settings.now()
    for (const [known, since] of this.used) if (now - since > 120_000) this.used.delete(known)
    if (this.used.has(id)) return true
    this.used.set(id, now)
    return false
  }
}

/** The tag of an owner in its own header, as JSON. */
const attestation = (request: IncomingMessage): unknown => {
  try {
    return JSON.parse(String(request.headers["x-auth-tag"]))
  } catch {
    return undefined
  }
}
