import { normalized } from "../../kernel/Text.ts"
import type { TriggerRule } from "./Trigger.ts"

/** An event of a mapped channel, just stored. Its text is sanitised and holds no secrets. */
export interface InboundMessage {
  readonly adapterId: string
  readonly mappingId: string
  readonly community: string
  readonly channelId: string
  readonly eventId: string
  readonly authorPubkey: string
  readonly kind: number
  readonly isRoot: boolean
  /** True when it is what this service has sent itself. */
  readonly isEcho: boolean
  readonly text: string
  /** Seconds since the epoch, as its author has it. */
  readonly createdAt: number
}

/** Whether a message starts the workflow of a rule, and why not. */
export type Decision =
  | { readonly disposition: "match" }
  | { readonly disposition: "ignored"; readonly reason: "echo" | "not_a_message" | "not_a_root" }
  | { readonly disposition: "mismatch"; readonly reason: "author_differs" | "content_differs" }
  | { readonly disposition: "disabled"; readonly reason: "rule_disabled" }

/** The kind of event that says something in a channel. */
const messageKind = 9

/** One key for one message and one rule: whatever comes twice starts one run. */
export const causalKeyOf = (
  { community, eventId }: Pick<InboundMessage, "community" | "eventId">,
  ruleId: string
): string => `relay:${community}:${eventId}:${ruleId}`

/**
 * Text folded so that case, and the ways to write one character, make no difference. It is folded to capitals, as small
 * letters depend on their place in a word: a final sigma is written differently.
 */
const folded = (text: string): string => normalized(normalized(text, "NFC").toUpperCase(), "NFC")

/** Whether a text contains a part. The part is no pattern: nothing in it has a special meaning. */
export const contains = (text: string, part: string): boolean => folded(text).includes(folded(part))

/** Decides about a message (spec 2-relay, Workflow trigger): only a root that somebody else posted starts anything. */
export const decide = (
  rule: Pick<TriggerRule, "enabled" | "authorPubkey" | "contentIncludes">,
  message: Pick<InboundMessage, "authorPubkey" | "isEcho" | "isRoot" | "kind" | "text">
): Decision => {
  const { authorPubkey, contentIncludes } = rule
  if (!rule.enabled) return { disposition: "disabled", reason: "rule_disabled" }
  if (message.kind !== messageKind) return { disposition: "ignored", reason: "not_a_message" }
  if (message.isEcho) return { disposition: "ignored", reason: "echo" }
  if (!message.isRoot) return { disposition: "ignored", reason: "not_a_root" }
  if (authorPubkey !== undefined && authorPubkey !== message.authorPubkey.toLowerCase())
    return { disposition: "mismatch", reason: "author_differs" }
  if (contentIncludes !== undefined && !contains(message.text, contentIncludes))
    return { disposition: "mismatch", reason: "content_differs" }
  return { disposition: "match" }
}
