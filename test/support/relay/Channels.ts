import type { Filter } from "@nostr-relay/common"
import type { Engine } from "./Engine.ts"
import { identities, type SignedEvent, sign } from "./Keys.ts"
import { type Settings, secondsOf } from "./Settings.ts"

const describe = (channel: string, settings: Settings, at: number): ReadonlyArray<SignedEvent> => {
  const { members = [], name = "general", open } = settings.channels?.[channel] ?? {}
  const hidden = settings.channels?.[channel]?.members !== undefined && open !== true
  const tags = [["d", channel], ["name", name], ["t", "stream"], ...(hidden ? [["private"]] : [["public"]])]
  const people = members.map((publicKey) => ["p", publicKey])
  return [
    sign(identities.relay, { kind: 39000, at, tags }),
    sign(identities.relay, { kind: 39002, at, tags: [["d", channel], ...people] })
  ]
}

/**
 * What the relay itself says of its channels (kinds 39000 and 39002 of NIP-29, signed with its key). A relay on which
 * every UUID is an open channel says it when it's asked for one.
 */
export class Channels {
  private readonly settings: Settings
  private readonly engine: Engine
  private readonly described = new Map<string, number>()

  constructor(settings: Settings, engine: Engine) {
    this.settings = settings
    this.engine = engine
  }

  /** Describes the channels anew, for they may have changed. */
  async announce(): Promise<void> {
    for (const channel of Object.keys(this.settings.channels ?? {})) await this.say(channel)
  }

  /** Describes what somebody is about to look for. */
  async prepare(filters: ReadonlyArray<Filter>): Promise<void> {
    if (this.settings.channels !== undefined) return
    const asked = filters.flatMap((filter) => (filter.kinds?.includes(39000) ? (filter["#d"] ?? []) : []))
    for (const channel of asked) if (!this.described.has(channel)) await this.say(channel)
  }

  private async say(channel: string): Promise<void> {
    const at = Math.max(secondsOf(this.settings), (this.described.get(channel) ?? 0) + 1)
    this.described.set(channel, at)
    for (const event of describe(channel, this.settings, at)) await this.engine.accept(event)
  }
}
