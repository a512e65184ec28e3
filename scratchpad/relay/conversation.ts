import { finalizeEvent, getPublicKey, type NostrEvent, nip19 } from "nostr-tools"
import { Relay, useWebSocketImplementation } from "nostr-tools/relay"
import { WebSocket } from "ws"
import { reply as replyTo, message as said } from "../../test/support/relay/Drafts.ts"
import { type Identity, identities } from "../../test/support/relay/Keys.ts"

useWebSocketImplementation(WebSocket)

/** One end of a conversation: a Nostr client on nostr-tools that tells what it says and what it hears. */
export interface Client {
  /** Says what was signed elsewhere. */
  readonly publish: (event: NostrEvent) => Promise<NostrEvent>
  readonly say: (content: string) => Promise<NostrEvent>
  readonly reply: (to: NostrEvent, content: string) => Promise<NostrEvent>
  /** The first event heard that fits, be it in the past or still to come. */
  readonly heard: (fits: (event: NostrEvent) => boolean, timeoutMs?: number) => Promise<NostrEvent>
  readonly close: () => void
}

const short = (id: string): string => id.slice(0, 8)

/** How a client tells what goes out and what comes in. */
export type Tell = (who: string, arrow: "->" | "<-", text: string) => void

const print: Tell = (who, arrow, text) => {
  process.stdout.write(`${who.padEnd(6)} ${arrow} ${text}\n`)
}

const nameOf = (publicKey: string): string =>
  Object.values(identities).find((one) => one.publicKey === publicKey)?.name ?? short(publicKey)

const told = ({ content, id, kind, pubkey, tags }: NostrEvent): string => {
  const parent = tags.find((tag) => tag[0] === "e" && tag[3] === "reply")?.[1]
  const where = parent === undefined ? "" : `, a reply to ${short(parent)}`
  return `${nameOf(pubkey)} in ${short(id)}, kind ${kind}${where}: ${JSON.stringify(content)}`
}

/** Connects to a relay, authenticates and listens to a channel. */
export const client = async (
  url: string,
  channel: string,
  by: Identity,
  line: Tell = print
): Promise<Client> => {
  const events: Array<NostrEvent> = []
  const waiting = new Set<() => void>()
  const relay = new Relay(url)
  // nostr-tools asks for a signature as soon as the challenge is there.
  const authenticated = new Promise<void>((resolve) => {
    relay.onauth = async (draft) => {
      line(by.name, "<-", "asked who is there")
      resolve()
      return finalizeEvent(draft, by.secret)
    }
  })
  line(by.name, "->", `connects to ${url}`)
  await relay.connect()
  await authenticated
  await relay.auth(async (draft) => finalizeEvent(draft, by.secret))
  line(by.name, "<-", `is let in as ${nip19.npubEncode(getPublicKey(by.secret))}`)
  await new Promise<void>((resolve) => {
    relay.subscribe([{ kinds: [9, 40003, 9005, 5], "#h": [channel] }], {
      oneose: resolve,
      onevent: (event) => {
        events.push(event)
        if (event.pubkey !== by.publicKey) line(by.name, "<-", told(event))
        for (const look of [...waiting]) look()
      }
    })
  })
  const publish = async (event: NostrEvent): Promise<NostrEvent> => {
    line(by.name, "->", told(event))
    await relay.publish(event)
    return event
  }
  return {
    publish,
    say: (content) => publish(said({ by, channel, content })),
    reply: (to, content) => publish(replyTo({ by, to, content })),
    heard: async (fits, timeoutMs = 60_000) => {
      const signal = AbortSignal.timeout(timeoutMs)
      for (;;) {
        const found = events.find(fits)
        if (found !== undefined) return found
        await new Promise<void>((resolve, reject) => {
          waiting.add(resolve)
          signal.addEventListener("abort", () => reject(new Error(`${by.name} heard nothing that fits`)))
        })
        waiting.clear()
      }
    },
    close: () => relay.close()
  }
}
