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
import { emptyChain, type Link } from "./AuditRepo.ts"

const keyFile = "audit-key.pem"
const headFile = "audit-head.json"

/** The head of the chain that was signed last, or why there is none. From the first start on there is one. */
export type Known =
  | { readonly _tag: "Signed"; readonly head: AuditHead }
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
      const readHead = Effect.gen(function* () {
        if (!(yield* files.exists(at(headFile)))) return undefined
        return decode(yield* files.readFileString(at(headFile)))
      })
      const signWith = (key: KeyObject, link: Link) =>
        Effect.gen(function* () {
          const signedAt = yield* nowIso
          const signature = sign(null, signedText({ ...link, signedAt }), key).toString("base64url")
          const head: AuditHead = { ...link, signedAt, signature, publicKey: shown(key) }
          yield* replace(headFile, JSON.stringify(head))
        })

      // A key stands for a head that was signed: the head of the empty chain comes first, so that a start that is killed
      // in between is a first start again, and a head that is missing later was taken away.
      const firstKey = Effect.gen(function* () {
        const key = generateKeyPairSync("ed25519").privateKey
        const left = yield* readHead
        if (left === undefined || Option.exists(left, ({ sequence }) => sequence === 0)) {
          yield* signWith(key, emptyChain)
        }
        yield* replace(keyFile, key.export({ type: "pkcs8", format: "pem" }).toString())
        return key
      })

      const key = (yield* files.exists(at(keyFile)))
        ? createPrivateKey(yield* files.readFileString(at(keyFile)))
        : yield* firstKey
      const publicKey = createPublicKey(key)

      return SignedHead.of({
        read: Effect.orDie(
          Effect.map(readHead, (head) => {
            if (head === undefined) return missing
            return Option.isSome(head) && isSigned(publicKey, head.value)
              ? { _tag: "Signed" as const, head: head.value }
              : forged
          })
        ),
        sign: (link) => Effect.orDie(signWith(key, link))
      })
    })
  )
}

const missing: Known = { _tag: "Missing" }
const forged: Known = { _tag: "Forged" }

const shown = (key: KeyObject): string =>
  createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64url")

const decode = Schema.decodeUnknownOption(Schema.parseJson(AuditHead))

const signedText = ({ hash, sequence, signedAt }: Link & { readonly signedAt: string }): Buffer =>
  Buffer.from(`${sequence}:${hash}:${signedAt}`)

const isSigned = (publicKey: KeyObject, head: AuditHead): boolean =>
  verify(null, signedText(head), publicKey, Buffer.from(head.signature, "base64url"))
