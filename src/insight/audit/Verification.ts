import { firstForged, markOf, type RestoreMark, replaces } from "../../storage/audit/RestoreMark.ts"
import { emptyChain, hashOf, type Link } from "../../storage/events/Audit.ts"
import type { AuditEntry, AuditFault } from "./AuditEntry.ts"

/** Where a chain is not what it was. */
export interface Broken {
  readonly brokenAt: number
  readonly fault: AuditFault
}

/** How far a chain was followed. */
export interface Followed {
  /** The last entry that is as it was; the genesis before the first. */
  readonly link: Link
  readonly entries: number
  readonly marks: ReadonlyArray<RestoreMark>
  readonly broken?: Broken
}

export const beginning: Followed = { link: emptyChain, entries: 0, marks: [] }

/** What an entry says, as its hash covers it. */
const covered = ({ hash: _, id: __, ...entry }: AuditEntry) => entry

/** Follows the chain through the next entries, up to the first that does not follow the one before it. */
export const follow = (from: Followed, entries: ReadonlyArray<AuditEntry>): Followed => {
  let { broken, link } = from
  const marks: Array<RestoreMark> = []
  for (const entry of entries) {
    if (broken !== undefined) break
    if (entry.sequence > link.sequence + 1) {
      broken = { brokenAt: link.sequence + 1, fault: "removed" }
    } else if (
      entry.sequence <= link.sequence ||
      entry.previousHash !== link.hash ||
      entry.hash !== hashOf(covered(entry)) ||
      entry.id !== `audit_${entry.sequence}`
    ) {
      broken = { brokenAt: Math.max(entry.sequence, Number.MIN_SAFE_INTEGER), fault: "changed" }
    } else {
      link = { sequence: entry.sequence, hash: entry.hash }
      const mark = markOf(entry)
      if (mark !== undefined) marks.push(mark)
    }
  }
  return {
    link,
    entries: from.entries + entries.length,
    marks: marks.length === 0 ? from.marks : [...from.marks, ...marks],
    ...(broken === undefined ? {} : { broken })
  }
}

/** What was signed last, and whose key signed it. */
export interface Signed {
  readonly head: Link
  readonly publicKey: string
}

/**
 * Holds a chain whose links are sound against the head that was signed. The chain may have grown since, and the entry of
 * the head must still be in it; a chain that ends before the head has lost its tail. A restore is told by a mark that the
 * same key has signed: it excuses the chain of the very head that it names.
 */
export const againstHead = (
  { link, marks }: Followed,
  { head, publicKey }: Signed,
  atHead: Link | undefined
): Broken | undefined => {
  const forged = firstForged(marks, publicKey)
  if (forged !== undefined) return { brokenAt: forged.sequence, fault: "restore-forged" }
  if (atHead?.hash === head.hash || marks.some((mark) => replaces(mark, publicKey, head))) return undefined
  return link.sequence < head.sequence
    ? { brokenAt: link.sequence + 1, fault: "truncated" }
    : { brokenAt: head.sequence, fault: "changed" }
}
