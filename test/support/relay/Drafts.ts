import { createHash, randomUUID } from "node:crypto"
import { schnorrSign } from "@nostr-relay/common"
import { type Identity, type SignedEvent, sign } from "./Keys.ts"
import { parentOf, rootOf, tagValue } from "./Tags.ts"

interface Signed {
  readonly by: Identity
  readonly at?: number
  readonly tags?: ReadonlyArray<ReadonlyArray<string>>
}

interface Said extends Signed {
  readonly content: string
}

interface About extends Signed {
  readonly target: SignedEvent
}

const channelTag = (event: SignedEvent): ReadonlyArray<ReadonlyArray<string>> => {
  const channel = tagValue(event, "h")
  return channel === undefined ? [] : [["h", channel]]
}

/** A message of a channel, kind 9. */
export const message = ({ at, by, channel, content, tags = [] }: Said & { readonly channel: string }) =>
  sign(by, { kind: 9, at, tags: [["h", channel], ...tags], content })

/** A reply: one marker below a root, two below a reply, as relays of the family thread them. */
export const reply = ({ at, by, content, tags = [], to }: Said & { readonly to: SignedEvent }) => {
  const markers =
    parentOf(to) === undefined
      ? [["e", to.id, "", "reply"]]
      : [
          ["e", rootOf(to), "", "root"],
          ["e", to.id, "", "reply"]
        ]
  return sign(by, { kind: 9, at, tags: [...channelTag(to), ...markers, ...tags], content })
}

/** New text for a message, kind 40003. */
export const edit = ({ at, by, content, tags = [], target }: Said & About) =>
  sign(by, { kind: 40003, at, tags: [...channelTag(target), ["e", target.id], ...tags], content })

/** The deletion that moderators of a channel have too, kind 9005. */
export const deletion9005 = ({ at, by, tags = [], target }: About) =>
  sign(by, { kind: 9005, at, tags: [...channelTag(target), ["e", target.id], ...tags] })

/** The deletion by the author, kind 5; `h` stays away unless it's asked for, as the wire leaves it open. */
export const deletion5 = ({ at, by, h = false, tags = [], target }: About & { readonly h?: boolean }) =>
  sign(by, { kind: 5, at, tags: [...(h ? channelTag(target) : []), ["e", target.id], ...tags] })

interface Defined extends Signed {
  readonly d: string
  readonly content: Readonly<Record<string, unknown>>
}

/** A persona, kind 30175; `shared` shows it to others on relays that hide personas. */
export const persona = ({ at, by, content, d, shared = true, tags = [] }: Defined & { shared?: boolean }) => {
  const seen = shared ? [["shared", "true"]] : []
  return sign(by, { kind: 30175, at, tags: [["d", d], ...seen, ...tags], content: JSON.stringify(content) })
}

/** A team, kind 30176. */
export const team = ({ at, by, content, d, tags = [] }: Defined) =>
  sign(by, { kind: 30176, at, tags: [["d", d], ...tags], content: JSON.stringify(content) })

/** The tag by which an owner vouches for an agent (NIP-OA). */
export const ownerTag = ({
  agent,
  conditions = "",
  owner
}: {
  readonly owner: Identity
  readonly agent: Pick<Identity, "publicKey">
  readonly conditions?: string
}): [string, string, string, string] => {
  const said = `nostr:agent-auth:${agent.publicKey}:${conditions}`
  const digest = createHash("sha256").update(said).digest("hex")
  return ["auth", owner.publicKey, conditions, schnorrSign(digest, owner.hex)]
}

/** The value of an `Authorization` header for a request (NIP-98). */
export const nip98 = ({
  at,
  body,
  by,
  method = "POST",
  tags = [],
  url
}: Signed & { readonly url: string; readonly method?: string; readonly body?: string }): string => {
  const payload = body === undefined ? [] : [["payload", createHash("sha256").update(body).digest("hex")]]
  // The nonce keeps two equal requests of one second apart, for a relay takes the id of the event once.
  const own = [["u", url], ["method", method], ...payload, ["nonce", randomUUID()]]
  const event = sign(by, { kind: 27235, at, tags: [...own, ...tags] })
  return `Nostr ${Buffer.from(JSON.stringify(event)).toString("base64")}`
}

/** The answer to a challenge (NIP-42). */
export const authentication = ({
  at,
  by,
  challenge,
  relay,
  tags = []
}: Signed & { readonly challenge: string; readonly relay: string }) =>
  sign(by, { kind: 22242, at, tags: [["relay", relay], ["challenge", challenge], ...tags] })
