import { hashOf } from "../../storage/Audit.ts"
import type { AuditEntry, AuditFault } from "./AuditEntry.ts"
import { emptyChain, type Link } from "./AuditRepo.ts"

/** How far a chain was followed. */
export interface Followed {
  /** The last entry that is as it was; the genesis before the first. */
  readonly link: Link
  readonly entries: number
  readonly broken?: { readonly at: number; readonly fault: AuditFault }
}

export const beginning: Followed = { link: emptyChain, entries: 0 }

/** What an entry says, as its hash covers it. */
const covered = ({ hash: _, id: __, ...entry }: AuditEntry) => entry

/** Follows the chain through the next entries, up to the first that does not follow the one before it. */
export const follow = (from: Followed, entries: ReadonlyArray<AuditEntry>): Followed => {
  let { broken, link } = from
  for (const entry of entries) {
    if (broken !== undefined) break
    if (entry.sequence > link.sequence + 1) {
      broken = { at: link.sequence + 1, fault: "removed" }
    } else if (
      entry.sequence <= link.sequence ||
      entry.previousHash !== link.hash ||
      entry.hash !== hashOf(covered(entry)) ||
      entry.id !== `audit_${entry.sequence}`
    ) {
      broken = { at: Math.max(entry.sequence, Number.MIN_SAFE_INTEGER), fault: "changed" }
    } else {
      link = { sequence: entry.sequence, hash: entry.hash }
    }
  }
  return { link, entries: from.entries + entries.length, ...(broken === undefined ? {} : { broken }) }
}

/**
 * Holds the end of a sound chain against the head that was signed. The chain may have grown since, and the entry of the
 * head must still be in it; a chain that ends before the head has lost its tail.
 */
export const againstHead = ({ link }: Followed, head: Link, atHead: Link | undefined): Followed["broken"] => {
  if (link.sequence < head.sequence) return { at: link.sequence + 1, fault: "truncated" }
  return atHead?.hash === head.hash ? undefined : { at: head.sequence, fault: "changed" }
}
