import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Layer, Redacted } from "effect"
import { Vault } from "../../src/kernel/Vault.ts"
import { temporaryDirectory } from "../support/World.ts"

const place = ["teamchat", "team-1", "credential"]
const vaultIn = (directory: string) =>
  Effect.provide(Vault, Vault.layer(join(directory, "vault-key.json")).pipe(Layer.provide(NodeContext.layer)))

const reasonOf = (opened: Either.Either<unknown, { readonly reason: string }>) =>
  Either.match(opened, { onLeft: ({ reason }) => reason, onRight: () => "open" })

describe("the vault", () => {
  it.scopedLive("opens what it sealed, whatever it is, and never seals it the same way twice", () =>
    Effect.gen(function* () {
      const vault = yield* vaultIn(yield* temporaryDirectory)
      for (const text of ["", ...FastCheck.sample(FastCheck.fullUnicodeString(), { numRuns: 50, seed: 7 })]) {
        const secret = Redacted.make(text)
        const [one, other] = [yield* vault.seal(secret, place), yield* vault.seal(secret, place)]
        assert.notStrictEqual(one, other)
        assert.deepStrictEqual(Either.map(vault.open(one, place), Redacted.value), Either.right(text))
      }
    })
  )

  it.scopedLive("keeps its key in a file that only its owner reads, and opens with it after a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const sealed = yield* Effect.flatMap(vaultIn(directory), ({ seal }) =>
        seal(Redacted.make("hunter2"), place)
      )
      const file = join(directory, "vault-key.json")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const { key } = JSON.parse(readFileSync(file, "utf8"))
      assert.notInclude(sealed, key)
      assert.notInclude(sealed, "hunter2")
      const later = yield* vaultIn(directory)
      assert.deepStrictEqual(Either.map(later.open(sealed, place), Redacted.value), Either.right("hunter2"))
    })
  )

  it.scopedLive(
    "opens nothing in another place, nothing that was changed, and nothing of another machine",
    () =>
      Effect.gen(function* () {
        const vault = yield* vaultIn(yield* temporaryDirectory)
        const sealed = yield* vault.seal(Redacted.make("hunter2"), place)
        assert.strictEqual(reasonOf(vault.open(sealed, ["teamchat", "team-2", "credential"])), "damaged")
        assert.strictEqual(reasonOf(vault.open(sealed, ["teamchat", "team-1", "webhookUrl"])), "damaged")
        const [version = "", id = "", content = ""] = sealed.split(".")
        for (const byte of [0, 12, 28]) {
          const bytes = Buffer.from(content, "base64url")
          bytes[byte] = (bytes[byte] ?? 0) ^ 1
          const changed = [version, id, bytes.toString("base64url")].join(".")
          assert.strictEqual(reasonOf(vault.open(changed, place)), "damaged")
        }
        for (const rubbish of ["", "v1", `${version}.${id}.`, `${version}.${id}.AA`, "hunter2", "v2.a.b"]) {
          assert.notStrictEqual(reasonOf(vault.open(rubbish, place)), "open")
        }
        const elsewhere = yield* vaultIn(yield* temporaryDirectory)
        assert.strictEqual(reasonOf(elsewhere.open(sealed, place)), "other-key")
        yield* elsewhere.seal(Redacted.make("mine"), place)
        assert.strictEqual(reasonOf(elsewhere.open(sealed, place)), "other-key")
      })
  )

  it.scopedLive("makes one key when two seal at once", () =>
    Effect.gen(function* () {
      const vault = yield* vaultIn(yield* temporaryDirectory)
      const sealed = yield* Effect.all(
        Array.from({ length: 8 }, () => vault.seal(Redacted.make("x"), place)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        sealed.map((text) => reasonOf(vault.open(text, place))),
        sealed.map(() => "open")
      )
    })
  )

  it.scopedLive("says which file is damaged, and shows nothing of it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "vault-key.json")
      writeFileSync(file, '{"key":"hunter2"}')
      const refused = yield* Effect.flip(vaultIn(directory))
      assert.include(refused.message, file)
      assert.notInclude(refused.message, "hunter2")
    })
  )
})
