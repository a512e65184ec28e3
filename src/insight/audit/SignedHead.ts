import type * as FileSystem from "@effect/platform/FileSystem"
import { Context, Effect, Layer, Ref } from "effect"
import * as AuditHead from "../../storage/audit/AuditHead.ts"
import * as AuditKey from "../../storage/audit/AuditKey.ts"
import * as Audit from "../../storage/events/Audit.ts"
import { Storage } from "../../storage/Storage.ts"

/** Why nothing that was signed vouches for the chain. */
export type Unsigned = "head-forged" | "head-missing" | "key-missing" | "key-replaced"

/** The head of the chain that was signed last, or why there is none. From the first start on there is one. */
export type Known =
  | { readonly _tag: "Signed"; readonly head: AuditHead.AuditHead; readonly publicKey: string }
  | { readonly _tag: "Unsigned"; readonly fault: Unsigned }

/**
 * Where the audit chain ended, signed, in a file beside the database: whoever can write into the table alone can neither
 * cut off its end nor write it anew without being found out. The database keeps the key's fingerprint, so that key and
 * head can't be taken away together either.
 */
export interface SignedHeadService {
  readonly read: Effect.Effect<Known>
  /** Signs an entry as the end of the chain. Nothing is signed while the key is not the one of the chain. */
  readonly sign: (link: Audit.Link) => Effect.Effect<void>
}

export class SignedHead extends Context.Tag("muster/SignedHead")<SignedHead, SignedHeadService>() {
  static readonly layer = Layer.effect(
    SignedHead,
    Effect.flatMap(Storage, ({ posture }) => (posture.filename === undefined ? inMemory : inFiles))
  )
}

/**
 * A database in memory begins anew with each start, and so does its head: the files belong to another chain.
 */
const inMemory = Effect.gen(function* () {
  const key = AuditKey.generate()
  const head = yield* Ref.make(yield* AuditHead.sign(key, Audit.emptyChain))
  return SignedHead.of({
    read: Effect.map(Ref.get(head), (head) => ({ _tag: "Signed", head, publicKey: key.publicKey })),
    sign: (link) => Effect.flatMap(AuditHead.sign(key, link), (signed) => Ref.set(head, signed))
  })
})

const inFiles = Effect.gen(function* () {
  const storage = yield* Storage
  const context = yield* Effect.context<FileSystem.FileSystem>()
  const { directory } = storage
  const found = yield* AuditKey.load(directory)
  const left = yield* AuditHead.read(directory)
  const recognized = yield* storage.read(AuditKey.recognize(found))
  const { sequence } = yield* storage.read(Audit.last)

  const signWith = (key: AuditKey.AuditKey, link: Audit.Link) =>
    Effect.flatMap(AuditHead.sign(key, link), (head) => AuditHead.write(directory, head))

  if (recognized === "other") return closed(found === undefined ? "key-missing" : "key-replaced")

  // A key stands for a head that was signed: the head of the empty chain comes first, so that a start that is killed in
  // between is a first start again, and a head that is missing later was taken away.
  const isFirst = sequence === 0 && (left === undefined || left.sequence === 0)
  if (found === undefined && !isFirst) return closed("key-missing")
  const key = found ?? (yield* AuditKey.make(directory, (made) => signWith(made, Audit.emptyChain)))
  if (recognized === "none") yield* storage.write(AuditKey.remember(key))

  const read = AuditHead.read(directory).pipe(
    Effect.map((head): Known => {
      if (head === undefined) return { _tag: "Unsigned", fault: "head-missing" }
      return AuditHead.isGenuine(key, head)
        ? { _tag: "Signed", head, publicKey: key.publicKey }
        : { _tag: "Unsigned", fault: "head-forged" }
    }),
    Effect.catchTag("AuditHeadUnreadable", () =>
      Effect.succeed<Known>({ _tag: "Unsigned", fault: "head-forged" })
    )
  )
  return SignedHead.of({
    read: Effect.provide(Effect.orDie(read), context),
    sign: (link) => Effect.provide(Effect.orDie(signWith(key, link)), context)
  })
})

/** A chain whose key is not here: nothing vouches for it, and nothing new is signed. */
const closed = (fault: Unsigned) =>
  SignedHead.of({ read: Effect.succeed({ _tag: "Unsigned", fault }), sign: () => Effect.void })
