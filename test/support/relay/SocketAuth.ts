import { randomBytes } from "node:crypto"
import { type Event, EventUtils } from "@nostr-relay/common"
import type { Context } from "./Context.ts"
import { isMember } from "./Membership.ts"
import { secondsOf } from "./Settings.ts"
import { tagsNamed } from "./Tags.ts"

/** The URL of a relay as it's compared: loopback spellings are equal, and a slash at the end is nothing. */
const relayUrl = (url: string): string => {
  if (!URL.canParse(url)) return url
  const { hostname, pathname, port, protocol } = new URL(url)
  const loopback = ["localhost", "127.0.0.1", "[::1]"].includes(hostname)
  return `${protocol}//${loopback ? "localhost" : hostname}:${port}${pathname.replace(/\/+$/, "")}`
}

/**
 * What is wrong with the answer to a challenge (NIP-42); undefined when nothing is. The engine has a check of its own,
 * but it lets ten minutes pass, compares host names alone, and draws challenges of another form.
 */
const authFault = (
  event: Event,
  challenge: string,
  host: string,
  { settings }: Context
): string | undefined => {
  const failed = "auth-required: verification failed"
  const challenges = tagsNamed(event, "challenge").map(([, value]) => value)
  const relays = tagsNamed(event, "relay").map(([, value = ""]) => value)
  if (event.kind !== 22242 || event.content !== "") return failed
  if (challenges.length !== 1 || challenges[0] !== challenge) return failed
  const expected = `${settings.scheme === "https" ? "wss" : "ws"}://${host}`
  if (relays.length !== 1 || relayUrl(relays[0] ?? "") !== relayUrl(expected)) return failed
  if (Math.abs(event.created_at - secondsOf(settings)) > settings.authWindowSeconds) return failed
  if (!EventUtils.isIdValid(event) || !EventUtils.isSigValid(event)) return failed
  const [tag, ...more] = tagsNamed(event, "auth")
  const attested = more.length > 0 ? undefined : tag
  return isMember(settings, event.pubkey, attested, event.created_at)
    ? undefined
    : "restricted: not a relay member"
}

/** Who is at the other end of a socket. One wrong answer and the socket stays without a name for ever. */
export class SocketAuth {
  readonly challenge = randomBytes(32).toString("hex")
  publicKey: string | undefined
  private failed = false
  private readonly host: string
  private readonly context: Context

  constructor(host: string, context: Context) {
    this.host = host
    this.context = context
  }

  /** Judges an answer; undefined when it's taken. `refusal` refuses it whatever it says. */
  answer(event: Event, refusal: string | undefined): string | undefined {
    if (this.publicKey !== undefined) return "auth-required: already authenticated"
    if (this.failed) return "auth-required: authentication already failed"
    const fault = refusal ?? authFault(event, this.challenge, this.host, this.context)
    if (fault === undefined) this.publicKey = event.pubkey
    else this.failed = true
    return fault
  }
}
