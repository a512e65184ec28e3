import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Data, Effect, Schema } from "effect"
import { replaceFile } from "../../kernel/DurableFile.ts"
import { nowIso } from "../../kernel/Time.ts"
import type { Link } from "../events/Audit.ts"
import { type AuditKey, isSigned } from "./AuditKey.ts"

/** The file that says where the audit chain ended when it was last signed. */
export const headFileOf = (directory: string): string => join(directory, "audit-head.json")

/** Where the chain ended at a time. `signature` is Ed25519 over `sequence:hash:signedAt`. */
const AuditHead = Schema.Struct({
  sequence: Schema.Int,
  hash: Schema.String,
  signedAt: Schema.String,
  signature: Schema.String,
  publicKey: Schema.String
})
export type AuditHead = typeof AuditHead.Type

const Stored = Schema.parseJson(AuditHead)

/** The file with the head is no head at all: it is damaged. */
export class AuditHeadUnreadable extends Data.TaggedError("AuditHeadUnreadable")<{ readonly file: string }> {
  override get message() {
    return `The signed head of the audit chain in ${this.file} can't be read. Put the file back from a copy of the data directory, or bring the board back with muster restore FILE: that signs a new one, and says so in the chain.`
  }
}

/** Reads the head of a data directory, whoever signed it; undefined when there is none. */
export const read = (directory: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = headFileOf(directory)
    if (!(yield* files.exists(file))) return undefined
    return yield* Effect.mapError(
      Effect.flatMap(files.readFileString(file), Schema.decode(Stored)),
      () => new AuditHeadUnreadable({ file })
    )
  })

const signedText = ({ hash, sequence, signedAt }: Link & { readonly signedAt: string }): string =>
  `${sequence}:${hash}:${signedAt}`

/** Signs an entry as the end of the chain. */
export const sign = (key: AuditKey, { hash, sequence }: Link): Effect.Effect<AuditHead> =>
  Effect.map(nowIso, (signedAt) => ({
    sequence,
    hash,
    signedAt,
    signature: key.sign(signedText({ sequence, hash, signedAt })),
    publicKey: key.publicKey
  }))

/** Puts a head in the place of the one before. */
export const write = (directory: string, head: AuditHead) =>
  replaceFile(headFileOf(directory), JSON.stringify(head))

/** Whether this key signed the head. */
export const isGenuine = ({ publicKey }: AuditKey, head: AuditHead): boolean =>
  isSigned(publicKey, signedText(head), head.signature)
