import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify
} from "node:crypto"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Data, Effect, Schema } from "effect"
import { sha256 } from "../../kernel/Digest.ts"
import { replaceFile } from "../../kernel/DurableFile.ts"
import { singleton } from "../Singleton.ts"
import type { Sql } from "../Sql.ts"

/** The file that holds the key which signs the audit chain. It lies beside the database, never in it. */
export const keyFileOf = (directory: string): string => join(directory, "audit-key.pem")

/** The key that signs where the audit chain ends, and every restore. */
export interface AuditKey {
  /** SPKI in base64url: whoever has it can check what the key signed. */
  readonly publicKey: string
  /** Ed25519 over the text, in base64url. */
  readonly sign: (text: string) => string
}

/** The file with the key is damaged. What stands in it is secret, so the message does not show it. */
export class AuditKeyUnreadable extends Data.TaggedError("AuditKeyUnreadable")<{ readonly file: string }> {
  override get message() {
    return `The key of the audit chain in ${this.file} can't be read. Put the file back from a copy of the data directory, or delete it and bring the board back with muster backup FILE and muster restore FILE: that makes a new key, and says so in the chain.`
  }
}

const keyOf = (privateKey: KeyObject): AuditKey => ({
  publicKey: createPublicKey(privateKey).export({ type: "spki", format: "der" }).toString("base64url"),
  sign: (text) => sign(null, Buffer.from(text), privateKey).toString("base64url")
})

/** A key that nobody else has and that is kept nowhere. */
export const generate = (): AuditKey => keyOf(generateKeyPairSync("ed25519").privateKey)

/** Reads the key of a data directory; undefined when there is none. */
export const load = (directory: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = keyFileOf(directory)
    if (!(yield* files.exists(file))) return undefined
    const unreadable = () => new AuditKeyUnreadable({ file })
    const text = yield* Effect.mapError(files.readFileString(file), unreadable)
    return yield* Effect.try({
      try: () => {
        const key = createPrivateKey(text)
        if (key.asymmetricKeyType !== "ed25519") throw unreadable()
        return keyOf(key)
      },
      catch: unreadable
    })
  })

/** Makes the key of a data directory. `before` runs with it before the file is there. */
export const make = <E, R>(directory: string, before: (key: AuditKey) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const { privateKey } = generateKeyPairSync("ed25519")
    const key = keyOf(privateKey)
    yield* before(key)
    yield* replaceFile(keyFileOf(directory), privateKey.export({ type: "pkcs8", format: "pem" }).toString())
    return key
  })

/** Whether the holder of a public key signed this text. */
export const isSigned = (publicKey: string, text: string, signature: string): boolean => {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64url"), type: "spki", format: "der" })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"))
  } catch {
    return false
  }
}

/** What a database keeps of the key that signs its chain: enough to tell it from any other. */
const remembered = singleton("audit-key", Schema.Struct({ fingerprint: Schema.String }))

const fingerprintOf = ({ publicKey }: AuditKey): string => sha256(publicKey)

/** Notes in the database which key signs its chain, so that a key that is taken away or replaced is missed. */
export const remember = (key: AuditKey): Effect.Effect<void, never, Sql> =>
  remembered.write({ fingerprint: fingerprintOf(key) })

/** Whether the database knows a key, and whether it is this one. */
export const recognize = (key: AuditKey | undefined): Effect.Effect<"none" | "this" | "other", never, Sql> =>
  Effect.map(remembered.read, (known) => {
    if (known === undefined) return "none"
    return key !== undefined && known.fingerprint === fingerprintOf(key) ? "this" : "other"
  })
