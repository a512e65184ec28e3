import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import type { SecretReference } from "../../src/kernel/SecretReference.ts"
import { Secrets, type SecretUse } from "../../src/kernel/Secrets.ts"

const reference = (name: string): SecretReference => `env:${name}`

const places = new Map([
  ["TOKEN", ["api.example.com", "ghe.example.com:8443", "[2001:db8::1]"]],
  ["RELAY_AUTH_TAG", ["relay.example.com"]]
])

const layer = Secrets.layer(
  new Map(["TOKEN", "KEY", "RELAY_PRIVATE_KEY", "RELAY_AUTH_TAG"].map((name) => [name, Redacted.make(name)])),
  places
)

const isFound = (name: string, use: SecretUse) =>
  Effect.gen(function* () {
    const { find, refusal } = yield* Secrets
    const found = Option.isSome(yield* find(reference(name), use))
    assert.strictEqual(refusal(reference(name), use) === undefined, found, "what is refused is not found")
    return found
  }).pipe(Effect.provide(layer))

const request = (url: string | undefined): SecretUse => ({ for: "request", url })
const adapter = (url: string | undefined): SecretUse => ({ for: "relay-adapter", url })

describe("a secret of the environment", () => {
  it.effect("goes anywhere when it is bound to nothing", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* isFound("KEY", request("https://example.org/")))
      assert.isTrue(yield* isFound("KEY", adapter("https://example.org/")))
    })
  )

  it.effect("that is bound goes to its hosts, by their ports, and nowhere else", () =>
    Effect.gen(function* () {
      for (const url of [
        "https://api.example.com/repos",
        "https://API.Example.com./",
        "https://api.example.com:443/",
        "https://ghe.example.com:8443/",
        "https://[2001:DB8::1]/"
      ]) {
        assert.isTrue(yield* isFound("TOKEN", request(url)), url)
      }
      for (const url of [
        "https://api.example.com:8443/",
        "https://ghe.example.com/",
        "https://example.com/",
        "https://sub.api.example.com/",
        "https://api.example.com.evil.example/",
        "https://evil.example/api.example.com",
        "https://evil.example/?@api.example.com",
        "https://api.example.com@evil.example/",
        "https://[2001:db8::2]/",
        "no url"
      ]) {
        assert.isFalse(yield* isFound("TOKEN", request(url)), url)
      }
    })
  )

  it.effect("of a relay serves relay adapters alone, bound or not", () =>
    Effect.gen(function* () {
      for (const name of ["RELAY_PRIVATE_KEY", "RELAY_AUTH_TAG"]) {
        assert.isTrue(yield* isFound(name, adapter("https://relay.example.com")))
        for (const url of ["https://relay.example.com", undefined]) {
          assert.isFalse(yield* isFound(name, request(url)))
        }
      }
      assert.isTrue(yield* isFound("RELAY_PRIVATE_KEY", adapter("https://other.example.com")))
      assert.isFalse(yield* isFound("RELAY_AUTH_TAG", adapter("https://other.example.com")))
    })
  )

  it.effect("is set or not, whoever may use it", () =>
    Effect.gen(function* () {
      const { find, isSet } = yield* Secrets
      for (const [name, set, found] of [
        ["LISTED", true, true],
        ["UNLISTED", true, false],
        ["NOBODYS", false, false]
      ] as const) {
        assert.strictEqual(isSet(reference(name)), set, name)
        assert.strictEqual(Option.isSome(yield* find(reference(name), request(undefined))), found, name)
      }
    }).pipe(
      Effect.provide(
        Secrets.layer(new Map([["LISTED", Redacted.make("x")]]), new Map(), new Set(["UNLISTED", "LISTED"]))
      )
    )
  )

  it.effect("is refused with words that name the variable, and where it may go", () =>
    Effect.gen(function* () {
      const { refusal } = yield* Secrets
      assert.match(
        refusal(reference("TOKEN"), request("https://evil.example/")) ?? "",
        /binds TOKEN to api\.example\.com, ghe\.example\.com:8443/
      )
      assert.match(
        refusal(reference("RELAY_PRIVATE_KEY"), request(undefined)) ?? "",
        /RELAY_PRIVATE_KEY serves relay adapters alone/
      )
    }).pipe(Effect.provide(layer))
  )
})
