import type { Event } from "@nostr-relay/common"
import { Validator } from "@nostr-relay/validator"
import type { Budget } from "./Budget.ts"
import type { Channels } from "./Channels.ts"
import type { Engine } from "./Engine.ts"
import type { Faults } from "./Faults.ts"
import type { Journal } from "./Journal.ts"
import type { Settings } from "./Settings.ts"

/** What the HTTP side and the sockets of one relay share. */
export interface Context {
  readonly settings: Settings
  readonly engine: Engine
  readonly channels: Channels
  readonly journal: Journal
  readonly budget: Budget
  readonly faults: Faults
  /** The relay's own public key. */
  readonly self: string
  /** Its own host with the port. */
  readonly host: () => string
}

/** The engine's validator, with the limits of the family where they are wider than its own. */
export const validator = new Validator({
  maxContentLength: 1_048_576,
  maxSubscriptionIdLength: 256,
  maxFilterKindsLength: 256
})

/** Whether the relay serves a host; loopback spellings are different communities. */
export const serves = (
  { host, settings: { community = host() } }: Context,
  asked: string | undefined
): boolean => [community].flat().some((name) => name.toLowerCase() === asked?.toLowerCase())

/** The words of the wire for a host that isn't served. */
export const noCommunity = "relay: no community is configured for this host"

/** Takes an event and notes it. */
export const take = async ({ engine, journal }: Context, event: Event) => {
  const result = await engine.accept(event)
  const duplicate = result.message?.startsWith("duplicate:") === true
  if (result.success && !duplicate) journal.note(({ accepted }) => accepted.push(event))
  return { accepted: result.success, message: result.message ?? "" }
}
