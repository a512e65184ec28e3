import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import { Context, Data, Effect, Either, Layer, Redacted, Schema } from "effect"
import { sha256 } from "./Digest.ts"
import { replaceFile } from "./DurableFile.ts"

/**
 * A sealed text can't be opened: `other-key` when this machine lacks the key that sealed it, `damaged` when the text
 * was changed or was sealed for another place.
 */
export class SealBroken extends Data.TaggedError("SealBroken")<{
  readonly reason: "other-key" | "damaged"
}> {}

/** The file with the key is damaged. Its content is secret, so the message does not show it. */
export class VaultUnreadable extends Data.TaggedError("VaultUnreadable")<{ readonly file: string }> {
  override get message() {
    return `The key of the vault in ${this.file} can't be read. Restore the file, or delete it: then the webhooks and credentials of team chats are to be entered again.`
  }
}

const KeyFile = Schema.parseJson(
  Schema.Struct({ key: Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9_-]{43}$/)) })
)

interface Key {
  /** The first 12 digits of the key's SHA-256: they say which key sealed a text, and nothing else about the key. */
  readonly id: string
  readonly bytes: Redacted.Redacted<Buffer>
}

/**
 * Seals the secrets that somebody entered, so that they can be stored. The key lies in a file beside the database,
 * never in it: whoever has the database, or a backup of it, can open nothing. A sealed text opens only for the place
 * that it was sealed for, so a row that is copied elsewhere is of no use there.
 */
export interface VaultService {
  /**
   * Seals a text for a place, e.g. an adapter's id and the name of a field. The first call makes the key and its file.
   */
  readonly seal: (secret: Redacted.Redacted, place: ReadonlyArray<string>) => Effect.Effect<string>
  readonly open: (
    sealed: string,
    place: ReadonlyArray<string>
  ) => Either.Either<Redacted.Redacted, SealBroken>
}

export class Vault extends Context.Tag("muster/Vault")<Vault, VaultService>() {
  static readonly layer = (file: string) =>
    Layer.effect(
      Vault,
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const lock = yield* Effect.makeSemaphore(1)
        let key = yield* load(file)

        const ensured = Effect.gen(function* () {
          if (key !== undefined) return key
          const made = randomBytes(32)
          yield* replaceFile(file, textOf(made)).pipe(
            Effect.orDie,
            Effect.provideService(FileSystem.FileSystem, files)
          )
          key = keyOf(made)
          return key
        }).pipe(lock.withPermits(1))

        return Vault.of({
          seal: Effect.fn("Vault.seal")((secret, place) =>
            Effect.map(ensured, (found) => seal(found, secret, place))
          ),
          open: (sealed, place) => open(key, sealed, place)
        })
      })
    )
}

const keyOf = (bytes: Buffer): Key => ({
  id: sha256(bytes.toString("base64url")).slice(0, 12),
  bytes: Redacted.make(bytes)
})

const textOf = (bytes: Buffer): string => Schema.encodeSync(KeyFile)({ key: bytes.toString("base64url") })

const load = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (!(yield* files.exists(file))) return undefined
    const stored = yield* files.readFileString(file).pipe(
      Effect.flatMap(Schema.decode(KeyFile)),
      Effect.mapError(() => new VaultUnreadable({ file }))
    )
    return keyOf(Buffer.from(stored.key, "base64url"))
  })

const version = "v1"
const nonceBytes = 12
const tagBytes = 16

const boundTo = (keyId: string, place: ReadonlyArray<string>): Buffer =>
  Buffer.from(JSON.stringify([version, keyId, ...place]))

/** `v1.<key id>.<nonce, tag and text in base64url>` */
const seal = ({ bytes, id }: Key, secret: Redacted.Redacted, place: ReadonlyArray<string>): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv("aes-256-gcm", Redacted.value(bytes), nonce).setAAD(boundTo(id, place))
  const text = Buffer.concat([cipher.update(Redacted.value(secret), "utf8"), cipher.final()])
  return [version, id, Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url")].join(".")
}

const open = (
  key: Key | undefined,
  sealed: string,
  place: ReadonlyArray<string>
): Either.Either<Redacted.Redacted, SealBroken> => {
  const [form, id = "", content = ""] = sealed.split(".")
  if (form !== version) return Either.left(new SealBroken({ reason: "damaged" }))
  if (key === undefined || key.id !== id) return Either.left(new SealBroken({ reason: "other-key" }))
  return Either.try({
    try: () => {
      const bytes = Buffer.from(content, "base64url")
      const nonce = bytes.subarray(0, nonceBytes)
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
      const decipher = createDecipheriv("aes-256-gcm", Redacted.value(key.bytes), nonce, {
        authTagLength: tagBytes
      })
        .setAAD(boundTo(id, place))
        .setAuthTag(tag)
      const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
      return Redacted.make(text.toString("utf8"))
    },
    catch: () => new SealBroken({ reason: "damaged" })
  })
}
