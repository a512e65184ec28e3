import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, FastCheck as fc, Redacted } from "effect"
import {
  connection,
  Installation,
  isLoopback,
  parseBaseUrl,
  Surroundings
} from "../../src/client/Connection.ts"
import { temporaryDirectory } from "../support/World.ts"

const connected = (environment: Readonly<Record<string, string>>) =>
  connection.pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))),
    Effect.provide(NodeContext.layer),
    Effect.provideService(Installation, "/nowhere")
  )

describe("the address of the server", () => {
  it.prop(
    "is the same with and without the prefix of the API",
    [
      fc.constantFrom("http://localhost:3001", "https://board.example.com/muster", "http://[::1]:80"),
      fc.constantFrom("", "/", "/api", "/api/", "/api/v1", "/api/v1/")
    ],
    ([base, suffix]) => {
      assert.deepStrictEqual(parseBaseUrl(base + suffix), parseBaseUrl(base))
      assert.isTrue(Either.isRight(parseBaseUrl(base)))
    }
  )

  it("is refused when it is none", () => {
    const wrong = [
      "localhost:3001",
      "ftp://x",
      "nowhere",
      "http://me:it@host",
      "http://host/?a",
      "http://host/#a"
    ]
    for (const text of wrong) assert.isTrue(Either.isLeft(parseBaseUrl(text)), text)
  })

  it.effect("is localhost, with the port of the environment", () =>
    Effect.gen(function* () {
      const urlOf = (environment: Readonly<Record<string, string>>) =>
        Effect.map(connected({ SERVICE_DATA_DIR: "/nowhere", ...environment }), ({ url }) => url)
      assert.strictEqual(yield* urlOf({}), "http://localhost:3001")
      assert.strictEqual(yield* urlOf({ PORT: "4001" }), "http://localhost:4001")
      assert.strictEqual(yield* urlOf({ PORT: "4001", SERVICE_PORT: "4000" }), "http://localhost:4000")
      assert.strictEqual(
        yield* urlOf({ PORT: "1", SERVICE_API_URL: " https://b.example/api/ " }),
        "https://b.example"
      )
      const wrong = yield* Effect.flip(connected({ SERVICE_PORT: "many" }))
      assert.include(wrong.reason, "address")
    })
  )

  it("is this machine's own for loopback names alone", () => {
    for (const host of ["localhost:1", "127.0.0.1", "127.1.2.3", "[::1]:5", "board.localhost"]) {
      assert.isTrue(isLoopback(`http://${host}`), host)
    }
    for (const host of ["example.com", "localhost.example.com", "10.0.0.1", "127.example.com"]) {
      assert.isFalse(isLoopback(`http://${host}`), host)
    }
  })
})

describe("the key", () => {
  it.scopedLive("is the environment's, else the one that the first start left in the data directory", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "admin-key")
      writeFileSync(file, "from-the-file\n", { mode: 0o600 })
      const found = yield* connected({ SERVICE_DATA_DIR: directory })
      assert.strictEqual(found.key && Redacted.value(found.key), "from-the-file")
      assert.deepStrictEqual(found.keySource, { _tag: "File", file })
      const given = yield* connected({ SERVICE_DATA_DIR: directory, SERVICE_API_KEY: " given " })
      assert.strictEqual(given.key && Redacted.value(given.key), "given")
      for (const unset of ["", " ", `\${env:SERVICE_API_KEY}`]) {
        const other = yield* connected({ SERVICE_DATA_DIR: directory, SERVICE_API_KEY: unset })
        assert.strictEqual(other.key && Redacted.value(other.key), "from-the-file", unset)
      }
    })
  )

  it.scopedLive("of a file is sent to no other machine", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, "admin-key"), "from-the-file\n")
      const elsewhere = { SERVICE_DATA_DIR: directory, SERVICE_API_URL: "https://board.example.com" }
      const found = yield* connected(elsewhere)
      assert.isUndefined(found.key)
      assert.deepStrictEqual(found.keySource, { _tag: "None", looked: [] })
    })
  )

  it.effect("is the admin's of the environment for a server on this machine, and for no other", () =>
    Effect.gen(function* () {
      const here = yield* connected({ SERVICE_ADMIN_KEY: "the-admin's" })
      assert.strictEqual(here.key && Redacted.value(here.key), "the-admin's")
      assert.deepStrictEqual(here.keySource, { _tag: "Environment", name: "SERVICE_ADMIN_KEY" })
      const elsewhere = { SERVICE_ADMIN_KEY: "the-admin's", SERVICE_API_URL: "https://board.example.com" }
      assert.isUndefined((yield* connected(elsewhere)).key)
      const own = yield* connected({ SERVICE_ADMIN_KEY: "the-admin's", SERVICE_API_KEY: "own" })
      assert.strictEqual(own.key && Redacted.value(own.key), "own")
    })
  )

  it.effect("of the environment goes to no other machine that only a .env names", () =>
    Effect.gen(function* () {
      const variables = { SERVICE_API_KEY: "own", SERVICE_API_URL: "https://evil.example.com" }
      const surrounded = (fromFile: ReadonlyArray<string>, also = {}) =>
        Effect.provideService(connected({ ...variables, ...also }), Surroundings, {
          all: new Set(Object.keys(variables)),
          fromFile: new Set(fromFile)
        })
      const refused = yield* Effect.flip(surrounded(["SERVICE_API_URL"]))
      assert.include(refused.reason, ".env says that the server is at https://evil.example.com")
      assert.notInclude(refused.reason + refused.remedy, "own")
      for (const fromFile of [[], ["SERVICE_API_KEY"], ["SERVICE_API_KEY", "SERVICE_API_URL"]]) {
        assert.isDefined((yield* surrounded(fromFile)).key)
      }
      assert.isDefined(
        (yield* surrounded(["SERVICE_API_URL"], { SERVICE_API_URL: "http://localhost:4000" })).key
      )
    })
  )

  it.effect("that no header can carry is refused without showing it", () =>
    Effect.gen(function* () {
      const wrong = yield* Effect.flip(connected({ SERVICE_API_KEY: "two\nlines" }))
      assert.notInclude(wrong.reason + wrong.remedy, "two")
    })
  )
})
