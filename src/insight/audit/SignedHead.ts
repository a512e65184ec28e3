import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify
} from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { replaceFile } from "../../kernel/DurableFile.ts"
import { nowIso } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import { AuditHead } from "./AuditEntry.ts"
import type { Link } from "./AuditRepo.ts"

const keyFile = "audit-key.pem"
const headFile = "audit-head.json"

/** The head of the chain that was signed last, or why there is none. */
export type Known =
  | { readonly _tag: "Signed"; readonly head: AuditHead }
  | { readonly _tag: "None" }
  | { readonly _tag: "Forged" }
  | { readonly _tag: "Missing" }

/**
 * Where the audit chain ended, signed, in a file beside the database: whoever can write into the table alone can neither
 * cut off its end nor write it anew without being found out.
 */
export class SignedHead extends Context.Tag("muster/SignedHead")<
  SignedHead,
  {
    readonly read: Effect.Effect<Known>
    readonly sign: (link: Link) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    SignedHead,
    Effect.gen(function* () {
      const { directory } = yield* Storage
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const at = (name: string) => path.join(directory, name)
      const replace = (name: string, text: string) => Effect.provide(replaceFile(at(name), text), context)
      const firstStart = !(yield* files.exists(at(keyFile)))
      const key = firstStart ? newKey() : createPrivateKey(yield* files.readFileString(at(keyFile)))
      if (firstStart) yield* replace(keyFile, key.export({ type: "pkcs8", format: "pem" }).toString())
      const publicKey = createPublicKey(key)
      const shownKey = publicKey.export({ type: "spki", format: "der" }).toString("base64url")
      let written = !firstStart

      const read = Effect.gen(function* () {
        if (!(yield* files.exists(at(headFile)))) return written ? missing : none
        const head = decode(yield* files.readFileString(at(headFile)))
        return Option.isSome(head) && isSigned(publicKey, head.value)
          ? { _tag: "Signed" as const, head: head.value }
          : forged
      })

      return SignedHead.of({
        read: Effect.orDie(read),
        sign: (link) =>
          Effect.gen(function* () {
            const signedAt = yield* nowIso
            const signature = sign(null, signedText({ ...link, signedAt }), key).toString("base64url")
            const head: AuditHead = { ...link, signedAt, signature, publicKey: shownKey }
            yield* replace(headFile, JSON.stringify(head))
            written = true
          }).pipe(Effect.orDie)
      })
    })
  )
}

const none: Known = { _tag: "None" }
const missing: Known = { _tag: "Missing" }
const forged: Known = { _tag: "Forged" }

const newKey = (): KeyObject => generateKeyPairSync("ed25519").privateKey

const decode = Schema.decodeUnknownOption(Schema.parseJson(AuditHead))

const signedText = ({ hash, sequence, signedAt }: Link & { readonly signedAt: string }): Buffer =>
  Buffer.from(`${sequence}:${hash}:${signedAt}`)

const isSigned = (publicKey: KeyObject, head: AuditHead): boolean =>
  verify(null, signedText(head), publicKey, Buffer.from(head.signature, "base64url"))
