import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Fiber, Redacted } from "effect"
import { identityOf } from "../../../src/conversations/wire/Identity.ts"
import type { NostrEvent } from "../../../src/conversations/wire/NostrEvent.ts"
import { verifies } from "../../../src/conversations/wire/OwnerAttestation.ts"
import { rebuild } from "../../../src/conversations/wire/Shape.ts"
import { idOf, Verifier } from "../../../src/conversations/wire/Verifier.ts"
import { judge } from "../../support/relay/Judge.ts"
import { identities } from "../../support/relay/Keys.ts"

const identity = identityOf(Redacted.make(identities.bridge.hex))

const signed = (content: string, tags: ReadonlyArray<ReadonlyArray<string>> = []) =>
  Effect.map(identity, ({ sign }) => sign({ kind: 9, created_at: 1_700_000_000, content, tags }))

/** Whether the whole way accepts what somebody sent. */
const accepts = (sent: unknown) =>
  Effect.gen(function* () {
    const rebuilt = rebuild(sent)
    if (Either.isLeft(rebuilt)) return false
    const { verify } = yield* Verifier
    return (yield* verify([rebuilt.right]))[0] === true
  })

describe("Signatures of the curve", () => {
  it.effect("verify as the vectors of BIP-340 say", () =>
    Effect.gen(function* () {
      const rows = readFileSync("test/fixtures/bip340-vectors.csv", "utf8").trim().split(/\r?\n/).slice(1)
      expect(rows).toHaveLength(15)
      for (const row of rows) {
        const [, , publicKey = "", , message = "", signature = "", result] = row.split(",")
        expect(
          yield* verifies(signature.toLowerCase(), Buffer.from(message, "hex"), publicKey.toLowerCase())
        ).toBe(result === "TRUE")
      }
    })
  )
})

describe("An event that the bridge signs", () => {
  it.effect("stands before an independent judge, whatever it says", () =>
    Effect.gen(function* () {
      const texts = [
        "hello",
        "",
        "“é” 👩‍👩‍👧 \u2028\u2029",
        '\u0000\u0001\b\f\n\r\t"\\/',
        "lone \ud800 surrogate",
        "x".repeat(60_000)
      ]
      for (const text of texts) {
        const event = yield* signed(text, [
          ["h", "a"],
          ["e", "", "", "reply"]
        ])
        expect(
          yield* Effect.promise(() => judge({ ...event, tags: event.tags.map((tag) => [...tag]) }))
        ).toBe(true)
        expect(yield* accepts(event)).toBe(true)
      }
    }).pipe(Effect.provide(Verifier.layer))
  )

  it.effect("is made with a key in hex or in its nsec form, and with nothing else", () =>
    Effect.gen(function* () {
      const { publicKey } = identities.bridge
      expect((yield* identityOf(Redacted.make(identities.bridge.nsec))).publicKey).toBe(publicKey)
      expect((yield* identityOf(Redacted.make(` ${identities.bridge.hex.toUpperCase()}\n`))).publicKey).toBe(
        publicKey
      )
      const wrong = ["", "nsec1qqqq", identities.bridge.npub, "0".repeat(64), "f".repeat(64), "a".repeat(63)]
      for (const key of wrong)
        expect(yield* Effect.flip(identityOf(Redacted.make(key)))).toMatchObject({ _tag: "MalformedKey" })
    })
  )
})

describe("An event that somebody sent", () => {
  it.effect("is refused in every form that a verifier alone would let pass", () =>
    Effect.gen(function* () {
      const event = yield* signed("hello", [["h", "a"]])
      const forms: ReadonlyArray<unknown> = [
        { ...event, id: event.id.toUpperCase() },
        { ...event, id: event.id.slice(0, 32) },
        { ...event, sig: event.sig.toUpperCase() },
        { ...event, kind: "9" },
        { ...event, kind: 9.5 },
        { ...event, created_at: -1 },
        { ...event, created_at: "1700000000" },
        { ...event, created_at: 1e15 },
        { ...event, tags: [["h", 1]] },
        { ...event, tags: "h" },
        { ...event, tags: Array.from({ length: 2_001 }, () => ["t"]) },
        { ...event, content: "lone \ud800" },
        { ...event, content: "x".repeat(262_145) },
        { ...event, pubkey: null },
        [event],
        null,
        "event"
      ]
      for (const form of forms) expect(Either.isLeft(rebuild(form))).toBe(true)
    })
  )

  it.effect("is refused when anything of it was changed, even with the mark of an earlier check", () =>
    Effect.gen(function* () {
      const event = yield* signed("hello", [["h", "a"]])
      const other = yield* signed("other")
      const changed: ReadonlyArray<NostrEvent> = [
        { ...event, content: "hullo" },
        { ...event, created_at: event.created_at + 1 },
        { ...event, kind: 10 },
        { ...event, tags: [] },
        { ...event, pubkey: identities.alice.publicKey },
        { ...event, id: other.id },
        { ...event, sig: other.sig },
        { ...event, id: idOf({ ...event, content: "hullo" }), content: "hullo" }
      ]
      for (const one of changed) {
        for (const symbol of Object.getOwnPropertySymbols(event)) Reflect.set(one, symbol, true)
        expect(yield* accepts(one)).toBe(false)
      }
      expect(yield* accepts({ ...event, more: "fields", [Symbol("verified")]: true })).toBe(true)
    }).pipe(Effect.provide(Verifier.layer))
  )

  it("never brings the reader down, whatever it is", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.anything(), (value) => {
        const rebuilt = rebuild(value)
        return Either.isLeft(rebuilt) || Object.keys(rebuilt.right).length === 7
      })
    )
  })

  it.live("is checked among many without keeping others waiting", () =>
    Effect.gen(function* () {
      const event = yield* signed("hello")
      const { verify } = yield* Verifier
      yield* verify([event])
      let turns = 0
      const others = yield* Effect.fork(
        Effect.forever(
          Effect.zipRight(
            Effect.sleep("1 millis"),
            Effect.sync(() => {
              turns += 1
            })
          )
        )
      )
      const verdicts = yield* verify(Array.from({ length: 600 }, () => event))
      yield* Fiber.interrupt(others)
      expect(verdicts.every((verdict) => verdict)).toBe(true)
      // 600 checks take more than a hundred milliseconds; in slices of eight a timer gets its turn at least ten times.
      expect(turns).toBeGreaterThanOrEqual(10)
    }).pipe(Effect.provide(Verifier.layer))
  )
})
