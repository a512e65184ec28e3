import { createHash } from "node:crypto"
import { schnorrVerify } from "@nostr-relay/common"
import type { Settings } from "./Settings.ts"

const canonical = "(0|[1-9][0-9]*)"
const clause = new RegExp(`^(kind=${canonical}|created_at[<>]${canonical})$`)

const holds = (conditions: string, at: number): boolean =>
  conditions === "" ||
  conditions.split("&").every((one) => {
    if (!clause.test(one)) return false
    const bound = Number(one.slice(one.search(/[=<>]/) + 1))
    // The kind isn't looked at for membership, only its form.
    if (one.startsWith("kind=")) return bound <= 65_535
    return bound <= 4_294_967_295 && (one.startsWith("created_at<") ? at < bound : at > bound)
  })

/** The owner who vouches for an agent by a tag (NIP-OA), if the tag is sound at that second. */
export const ownerOf = (tag: unknown, agent: string, at: number): string | undefined => {
  if (!Array.isArray(tag) || tag.length !== 4 || !tag.every((part) => typeof part === "string"))
    return undefined
  const [name, owner = "", conditions = "", signature = ""]: ReadonlyArray<string> = tag
  if (name !== "auth" || owner === agent) return undefined
  if (!/^[0-9a-f]{64}$/.test(owner) || !/^[0-9a-f]{128}$/.test(signature)) return undefined
  const digest = createHash("sha256").update(`nostr:agent-auth:${agent}:${conditions}`).digest("hex")
  return holds(conditions, at) && schnorrVerify(signature, digest, owner) ? owner : undefined
}

/** Whether a key is let in: by itself or, where it isn't a member, by an owner who is one. */
export const isMember = ({ members }: Settings, publicKey: string, tag: unknown, at: number): boolean => {
  if (members === undefined || members.includes(publicKey)) return true
  const owner = ownerOf(tag, publicKey, at)
  return owner !== undefined && members.includes(owner)
}
