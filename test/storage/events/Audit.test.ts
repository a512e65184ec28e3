import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Data, Effect, FastCheck } from "effect"
import { canonicalize } from "json-canonicalize"
import { digest } from "../../../src/kernel/Digest.ts"
import { iso } from "../../../src/kernel/Time.ts"
import { type AuditEntry, hashOf } from "../../../src/storage/events/Audit.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { auditTrail, brokenLink } from "../../support/Audit.ts"
import { recordChange } from "../../support/Journal.ts"
import { storage, storageIn } from "../../support/TestStorage.ts"
import { temporaryDirectory } from "../../support/World.ts"

class Refused extends Data.TaggedError("Refused") {}

const inParallel = { concurrency: "unbounded" } as const

const text = FastCheck.string({ unit: "binary" })

const anEntry: FastCheck.Arbitrary<AuditEntry> = FastCheck.record({
  sequence: FastCheck.integer({ min: 1 }),
  timestamp: FastCheck.date({ noInvalidDate: true }).map((at) => iso(at.getTime())),
  actor: text,
  role: text,
  action: text,
  resource: text,
  resourceId: text,
  workspaceId: text,
  details: FastCheck.dictionary(text, FastCheck.jsonValue()),
  previousHash: text
})

describe("the hash of an entry", () => {
  it("is the digest of its RFC 8785 form, as whoever checks the chain makes it", () => {
    FastCheck.assert(FastCheck.property(anEntry, (entry) => hashOf(entry) === digest(entry)))
  })
})

describe("the audit chain", () => {
  it.scopedLive("links every entry to the one before it, whatever is written at the same time", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* Effect.forEach(
        Arr.range(1, 300),
        (number) => {
          const record = recordChange(`thing ${number % 7}`, { number, nested: { list: [number] } })
          return number % 5 === 0 ? Effect.flip(write(Effect.zipRight(record, new Refused()))) : write(record)
        },
        inParallel
      )
      const trail = yield* auditTrail
      assert.strictEqual(trail.length, 240)
      assert.strictEqual(brokenLink(trail), undefined)
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("goes on where it was after a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const record = Effect.flatMap(Storage, ({ write }) => write(recordChange("a")))
      yield* Effect.provide(record, storageIn(directory))
      const trail = yield* Effect.provide(Effect.zipRight(record, auditTrail), storageIn(directory))
      assert.strictEqual(trail.length, 2)
      assert.strictEqual(brokenLink(trail), undefined)
    })
  )

  it.scopedLive("shows where somebody changed, removed or reordered what it says", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* write(Effect.forEach(Arr.range(1, 9), (number) => recordChange("a", { number })))
      const trail = yield* auditTrail
      const at = (index: number) => trail[index] ?? assert.fail("a link is missing")
      assert.strictEqual(brokenLink(trail), undefined)
      assert.strictEqual(brokenLink(trail.with(4, { ...at(4), actor: "nobody" })), 5)
      assert.strictEqual(brokenLink(trail.with(4, { ...at(4), details: '{"number":50}' })), 5)
      assert.strictEqual(brokenLink(trail.toSpliced(4, 1)), 6)
      assert.strictEqual(brokenLink(trail.with(4, at(5)).with(5, at(4))), 6)
    }).pipe(Effect.provide(storage))
  )

  it.scopedLive("has the hash that its description promises: SHA-256 over canonical JSON", () =>
    Effect.gen(function* () {
      const { write } = yield* Storage
      yield* write(recordChange("a", { z: 1, a: 2 }))
      const [link] = yield* auditTrail
      const entry = {
        sequence: 1,
        timestamp: iso(link?.createdAt ?? 0),
        actor: "tester",
        role: "admin",
        action: "thing.changed",
        resource: "thing",
        resourceId: "a",
        workspaceId: "default",
        details: { a: 2, z: 1 },
        previousHash: "sha256:0"
      }
      const hash = createHash("sha256").update(canonicalize(entry)).digest("hex")
      assert.strictEqual(link?.hash, `sha256:${hash}`)
    }).pipe(Effect.provide(storage))
  )
})
