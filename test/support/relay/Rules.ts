import type { Event } from "@nostr-relay/common"
import type { Repository } from "./Repository.ts"
import { type Settings, secondsOf, seesChannel } from "./Settings.ts"
import { parentOf, rootOf, tagsNamed, tagValue } from "./Tags.ts"

const maxContent = 262_144
const maxDepth = 100
const relayKinds = [13534, 39000, 39001, 39002, 44100, 44101]
const channelKinds = [9, 40002, 40003, 9005]
const knownKinds = [5, 7, ...channelKinds, 30175, 30176, ...relayKinds]

/** What the rules look at. */
export interface Ground {
  readonly settings: Settings
  readonly repository: Repository
  /** The relay's own key, whose events no rule stops. */
  readonly self: string
}

/** The answers of the wire to events that a relay of the family doesn't take, in the order in which it looks. */
export const refusal = (event: Event, ground: Ground): string | undefined => {
  const { self, settings } = ground
  if (event.pubkey === self) return undefined
  if (relayKinds.includes(event.kind)) return `restricted: kind ${event.kind} is relay-signed only`
  if (Math.abs(event.created_at - secondsOf(settings)) > settings.chatWindowSeconds) {
    return "invalid: event timestamp too far from server time"
  }
  if (Buffer.byteLength(event.content) > maxContent) {
    return `invalid: content exceeds maximum size of ${maxContent} bytes`
  }
  if (!knownKinds.includes(event.kind)) return "restricted: unknown event kind"
  return ofChannel(event, ground) ?? ofKind(event, ground)
}

const ofChannel = (event: Event, { repository, settings }: Ground): string | undefined => {
  const named = tagValue(event, "h")
  if (named === undefined && channelKinds.includes(event.kind)) return "invalid: missing h tag"
  const target = named === undefined ? repository.event(tagValue(event, "e") ?? "") : undefined
  const channel = named ?? (target === undefined ? undefined : repository.channelOf(target))
  if (channel === undefined) return undefined
  if (!seesChannel(settings, event.pubkey, channel)) return "restricted: not a channel member"
  return settings.channels?.[channel]?.archived === true ? "restricted: channel archived" : undefined
}

const ofKind = (event: Event, ground: Ground): string | undefined => {
  switch (event.kind) {
    case 9:
    case 40002:
      return ofThread(event, ground)
    case 40003:
      return ofTarget(event, ground, false)
    case 9005:
    case 5:
      return ofDeletion(event, ground)
    case 30175:
      return ofPersona(event)
    default:
      return undefined
  }
}

/** The parent must stand in the same channel, and the root must be the one that the parent has. */
const ofThread = (event: Event, { repository }: Ground): string | undefined => {
  const parentId = parentOf(event)
  if (parentId === undefined) return undefined
  const parent = repository.event(parentId)
  if (parent === undefined || repository.isHidden(parentId)) return "invalid: reply parent not found"
  if (repository.channelOf(parent) !== tagValue(event, "h")) {
    return "invalid: parent event belongs to a different channel"
  }
  if (rootOf(event) !== rootOf(parent)) return "invalid: root tag does not match thread ancestry"
  return depthOf(event, repository) > maxDepth ? `invalid: thread depth exceeds ${maxDepth}` : undefined
}

const depthOf = (event: Event, repository: Repository): number => {
  let depth = 0
  let id = parentOf(event)
  while (id !== undefined && depth <= maxDepth) {
    const parent = repository.event(id)
    depth += 1
    id = parent === undefined ? undefined : parentOf(parent)
  }
  return depth
}

/** Who may change a target: its author and, where moderation is meant, an admin of the channel. */
const ofTarget = (event: Event, { repository, settings }: Ground, moderated: boolean): string | undefined => {
  const id = tagValue(event, "e") ?? ""
  const target = repository.event(id)
  if (target === undefined || repository.isHidden(id)) return "invalid: target event not found"
  const channel = repository.channelOf(target)
  const named = tagValue(event, "h")
  if (named !== undefined && channel !== named) return "invalid: target belongs to a different channel"
  const admins = settings.channels?.[channel ?? ""]?.admins ?? []
  return target.pubkey === event.pubkey || (moderated && admins.includes(event.pubkey))
    ? undefined
    : "restricted: must be event author"
}

const ofDeletion = (event: Event, ground: Ground): string | undefined => {
  const { length: named } = [...tagsNamed(event, "e"), ...tagsNamed(event, "a")]
  if (named !== 1) return "invalid: a deletion names exactly one e or a"
  const coordinates = tagValue(event, "a")
  if (coordinates === undefined) {
    // Sent again, it finds its target hidden, and the engine says that it's a duplicate.
    return ground.repository.event(event.id) === undefined
      ? ofTarget(event, ground, event.kind === 9005)
      : undefined
  }
  return coordinates.split(":")[1] === event.pubkey ? undefined : "restricted: must be event author"
}

const ofPersona = (event: Event): string | undefined => {
  const [name, ...more] = tagsNamed(event, "d")
  if (more.length > 0 || !/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name?.[1] ?? ""))
    return "invalid: d must be one slug"
  return Buffer.byteLength(event.content) > 65_535 ? "invalid: persona content too large" : undefined
}
