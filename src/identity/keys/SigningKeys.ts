import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"
import { sha256 } from "../../kernel/Digest.ts"
import { replaceFile } from "../../kernel/DurableFile.ts"
import { iso } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import { SecretConfigured, SigningKeysUnreadable } from "./Errors.ts"
import type { RotationStatus } from "./Rotation.ts"

/** How long a key that was replaced still counts, in milliseconds: one hour. */
export const graceMs = 60 * 60 * 1_000

const fileName = "signing-keys.json"

const StoredKey = Schema.Struct({
  id: Schema.String,
  secret: Schema.String,
  createdAt: Schema.Int,
  /** When it stops counting; absent while it is the current one. */
  endsAt: Schema.optionalWith(Schema.Int, { exact: true })
})

const StoredKeys = Schema.parseJson(Schema.Array(StoredKey))

/** A key that signs sessions and pairing payloads. */
export interface SigningKey {
  readonly id: string
  readonly secret: Redacted.Redacted
  readonly createdAt: number
  readonly endsAt: number | undefined
}

/** The keys that sign what this server hands out. They lie in a file beside the database, never in it. */
export interface SigningKeysService {
  readonly current: () => SigningKey
  /** A key by its id, if it still counts at this time. */
  readonly find: (id: string, at: number) => SigningKey | undefined
  readonly status: Effect.Effect<RotationStatus>
  /** Makes a new key; the one before counts until its grace is over. */
  readonly rotate: Effect.Effect<RotationStatus, SecretConfigured>
}

export class SigningKeys extends Context.Tag("muster/SigningKeys")<SigningKeys, SigningKeysService>() {
  static readonly layer = (configured: Redacted.Redacted | undefined) =>
    Layer.effect(
      SigningKeys,
      Effect.gen(function* () {
        const { directory } = yield* Storage
        const path = yield* Path.Path
        const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
        const file = path.join(directory, fileName)
        const store = (keys: ReadonlyArray<SigningKey>) =>
          replaceFile(file, encode(keys)).pipe(Effect.orDie, Effect.provide(context))
        let keys = configured === undefined ? yield* load(file) : [fixedKey(configured)]
        if (keys.length === 0) {
          keys = [newKey(yield* Clock.currentTimeMillis)]
          yield* store(keys)
        }
        const lock = yield* Effect.makeSemaphore(1)

        const current = () => {
          const [newest] = keys
          if (newest === undefined) throw new Error("There is always a signing key")
          return newest
        }
        const status = Effect.map(Clock.currentTimeMillis, (at): RotationStatus => {
          const before = keys.find(({ endsAt }) => endsAt !== undefined && endsAt > at)
          return {
            keyId: current().id,
            rotatedAt: configured === undefined ? iso(current().createdAt) : null,
            graceUntil: before?.endsAt === undefined ? null : iso(before.endsAt),
            configured: configured !== undefined
          }
        })

        return SigningKeys.of({
          current,
          find: (id, at) =>
            keys.find((key) => key.id === id && (key.endsAt === undefined || key.endsAt > at)),
          status,
          rotate:
            configured !== undefined
              ? Effect.fail(new SecretConfigured())
              : lock.withPermits(1)(
                  Effect.gen(function* () {
                    const at = yield* Clock.currentTimeMillis
                    const replaced = keys
                      .filter(({ endsAt }) => endsAt === undefined || endsAt > at)
                      .map((key) => ({ ...key, endsAt: key.endsAt ?? at + graceMs }))
                    const after = [newKey(at), ...replaced]
                    yield* store(after)
                    keys = after
                    return yield* status
                  })
                )
        })
      })
    )
}

const newKey = (at: number): SigningKey => {
  const secret = randomBytes(32).toString("base64url")
  return { id: sha256(secret).slice(0, 12), secret: Redacted.make(secret), createdAt: at, endsAt: undefined }
}

const fixedKey = (secret: Redacted.Redacted): SigningKey => ({
  id: sha256(Redacted.value(secret)).slice(0, 12),
  secret,
  createdAt: 0,
  endsAt: undefined
})

const encode = (keys: ReadonlyArray<SigningKey>): string =>
  Schema.encodeSync(StoredKeys)(
    keys.map(({ createdAt, endsAt, id, secret }) => ({
      id,
      secret: Redacted.value(secret),
      createdAt,
      ...(endsAt === undefined ? {} : { endsAt })
    }))
  )

const load = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (!(yield* files.exists(file))) return []
    const stored = yield* files.readFileString(file).pipe(
      Effect.flatMap(Schema.decode(StoredKeys)),
      Effect.mapError(() => new SigningKeysUnreadable({ file }))
    )
    return stored.map(
      ({ createdAt, endsAt, id, secret }): SigningKey => ({
        id,
        secret: Redacted.make(secret),
        createdAt,
        endsAt
      })
    )
  })

/** Signs text with a key. */
export const sign = ({ secret }: SigningKey, text: string): string =>
  createHmac("sha256", Redacted.value(secret)).update(text).digest("base64url")

/** Whether a key made this signature. It takes the same time for every signature that is not right. */
export const verify = (key: SigningKey, text: string, signature: string): boolean => {
  const expected = Buffer.from(sign(key, text))
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
