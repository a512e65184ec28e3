import { Option, Schema } from "effect"
import type { AuditEntry, Link } from "../events/Audit.ts"
import { Event } from "../events/Event.ts"
import { type AuditKey, isSigned } from "./AuditKey.ts"

/** The head of the board that a restore replaced; null when nothing that was signed was there. */
const Head = Schema.NullOr(Schema.Struct({ sequence: Schema.Int, hash: Schema.String }))

/** What the entry of a restore says. The signature binds it to its place, so that it counts nowhere else. */
const Details = Schema.Struct({ head: Head, publicKey: Schema.String, signature: Schema.String })
type Details = typeof Details.Type

/** A copy took the place of the board; the stream is the workspace's. */
export class BoardRestored extends Event("board.restored", "board", Details.fields) {}

/** What a restore is called in the chain. */
export const action = BoardRestored._tag

/** A restore, as the chain tells it. */
export interface RestoreMark {
  readonly sequence: number
  readonly at: string
  readonly head: Link | null
  readonly publicKey: string
  /** Whether the key that the mark names has signed it. */
  readonly isSigned: boolean
}

const signedText = (previous: Link, head: Link | null): string =>
  JSON.stringify([
    "muster-restore",
    previous.sequence,
    previous.hash,
    head?.sequence ?? null,
    head?.hash ?? null
  ])

/** What the entry of a restore says (ruling 112): it follows `previous`, and takes the place of the chain up to `head`. */
export const detailsOf = (key: AuditKey, previous: Link, head: Link | null): Details => ({
  head,
  publicKey: key.publicKey,
  signature: key.sign(signedText(previous, head))
})

const decode = Schema.decodeUnknownOption(Details)

/**
 * Reads an entry as the mark of a restore. Restores of earlier versions left an entry that signs nothing and excuses
 * nothing: it is no mark.
 */
export const markOf = (entry: AuditEntry): RestoreMark | undefined => {
  if (entry.action !== action) return undefined
  const details = Option.getOrUndefined(decode(entry.details))
  if (details === undefined) return undefined
  const { head, publicKey, signature } = details
  const previous = { sequence: entry.sequence - 1, hash: entry.previousHash }
  return {
    sequence: entry.sequence,
    at: entry.timestamp,
    head,
    publicKey,
    isSigned: isSigned(publicKey, signedText(previous, head), signature)
  }
}

/**
 * The first mark that nobody who could have made it has made. A mark must be signed; one of another key counts only
 * below one of this key, which brought it in with its board.
 */
export const firstForged = (
  marks: ReadonlyArray<RestoreMark>,
  publicKey: string
): RestoreMark | undefined => {
  const lastOwn = marks.findLastIndex((mark) => mark.publicKey === publicKey && mark.isSigned)
  return marks.find((mark, index) => !mark.isSigned || (mark.publicKey !== publicKey && index > lastOwn))
}

/** Whether a restore of this key replaced the board that ended with this head. */
export const replaces = (mark: RestoreMark, publicKey: string, head: Link): boolean =>
  mark.isSigned &&
  mark.publicKey === publicKey &&
  mark.head?.sequence === head.sequence &&
  mark.head.hash === head.hash
