import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execute } from "./support/Binary.ts"
import * as Process from "./support/Process.ts"
import { relay } from "./support/relay/Relay.ts"
import { send, temporaryDirectory } from "./support/World.ts"

/** A port that somebody else listens on. */
const takenPort = Effect.acquireRelease(
  Effect.async<{ readonly port: number; readonly close: () => void }>((resume) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ port, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

describe.concurrent("a start", { timeout: 90_000 }, () => {
  it.scopedLive("that can't be says what to change, every variable at once, and touches nothing", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "data")
      const wrong = {
        SERVICE_PORT: "many",
        SERVICE_AUTH_ENABLED: "maybe",
        SERVICE_API_KEYS: "codex:sEcReT",
        SERVICE_LOG_LEVEL: "loud"
      }
      const { code, output } = yield* Process.run({ ...wrong, SERVICE_DATA_DIR: directory })
      assert.strictEqual(code, 1)
      assert.match(output, /^muster: /)
      for (const name of Object.keys(wrong)) assert.include(output, name)
      assert.notInclude(output, "sEcReT")
      assert.notInclude(output, "    at ")
      assert.isFalse(existsSync(directory))
    })
  )

  it.scopedLive("on a port that is taken says so and lets go of the directory", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { port } = yield* takenPort
      const { code, output } = yield* Process.run({
        ...Process.testKeys,
        SERVICE_DATA_DIR: directory,
        SERVICE_PORT: String(port)
      })
      assert.strictEqual(code, 1)
      assert.match(output, /^muster: /m)
      assert.include(output, `port ${port}`)
      assert.include(output, "SERVICE_PORT")
      yield* Process.start(directory)
    })
  )

  it.scopedLive("prints a first request that works, also with a key of the environment", () =>
    Effect.gen(function* () {
      const started = yield* Process.start(yield* temporaryDirectory, {
        SERVICE_ADMIN_KEY: "a key of one's own"
      })
      const attempt = /Try: (.*)/.exec(started.output())?.[1] ?? ""
      assert.notInclude(started.output(), "a key of one's own")
      const { stdout } = yield* execute("sh", ["-c", `${attempt} --silent`], {
        environment: { SERVICE_ADMIN_KEY: "a key of one's own" }
      })
      assert.deepInclude(JSON.parse(stdout), { total: 0 })
    })
  )

  it.scopedLive(
    "reads the .env of its directory, after the environment, and gives it to no program",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        writeFileSync(
          join(directory, ".env"),
          [
            "# The board",
            "SERVICE_ADMIN_KEY='the-key-of-the-file'",
            "SERVICE_DATA_DIR=elsewhere",
            "SERVICE_LOG_FORMAT=json",
            ""
          ].join("\n")
        )
        const data = join(directory, "data")
        const started = yield* Process.start(
          data,
          { SERVICE_ADMIN_KEY: "", SERVICE_API_KEYS: "", SERVICE_LOG_FORMAT: "pretty" },
          { cwd: directory }
        )
        assert.isTrue(existsSync(join(data, "muster.db")), "the environment counts first")
        const empty = yield* send(started.baseUrl, "GET", "/api/tasks/counts", {
          as: null,
          headers: { "x-api-key": "the-key-of-the-file" }
        })
        assert.strictEqual(empty.status, 401, "an empty variable of the environment is one")
        yield* started.end("SIGTERM")
        const { SERVICE_API_KEYS } = Process.testKeys
        const again = yield* Process.startWith(
          { SERVICE_API_KEYS: SERVICE_API_KEYS ?? "" },
          { cwd: directory }
        )
        assert.isTrue(existsSync(join(directory, "elsewhere", "muster.db")))
        const found = yield* send(again.baseUrl, "GET", "/api/tasks/counts", {
          as: null,
          headers: { "x-api-key": "the-key-of-the-file" }
        })
        assert.strictEqual(found.status, 200)
        assert.include(again.output(), "Try: npx muster list")
        const listed = yield* execute(process.execPath, [resolve("dist/cli/main.js"), "list"], {
          cwd: directory,
          environment: { SERVICE_PORT: String(again.port) }
        })
        assert.deepStrictEqual([listed.exitCode, listed.stdout], [0, "No tasks.\n"])
      }),
    90_000
  )

  it.scopedLive("tells a .env that can't be read, and takes a directory of that name for what it is", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      mkdirSync(join(directory, ".env"))
      yield* Process.start(join(directory, "data"), {}, { cwd: directory })
    })
  )

  it.scopedLive(
    "knows of a secret that stands in .env alone, and that SERVICE_SECRETS does not list it",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        writeFileSync(join(directory, ".env"), "MY_RELAY_KEY=a key that nobody may use\nMY_EMPTY_KEY=\n")
        const { baseUrl } = yield* Process.start(
          join(directory, "data"),
          { MY_HIDDEN_KEY: "", MY_OTHER_KEY: "another" },
          { cwd: directory }
        )
        const there = yield* relay()
        const adapter = "/api/integrations/communication/adapters/community"
        for (const [name, reasonCode] of [
          ["MY_RELAY_KEY", "credential_unlisted"],
          ["MY_OTHER_KEY", "credential_unlisted"],
          ["MY_EMPTY_KEY", "credential_missing"],
          ["MY_HIDDEN_KEY", "credential_missing"],
          ["NOBODYS_KEY", "credential_missing"]
        ] as const) {
          const body = {
            kind: "relay",
            displayName: "Community",
            enabled: true,
            relayHttpUrl: there.url,
            publicKey: "a".repeat(64),
            credentialRef: `env:${name}`,
            allowLocalhost: true
          }
          const put = yield* send(baseUrl, "PUT", adapter, { as: "admin", body })
          assert.strictEqual(put.status, 200, JSON.stringify(put.body))
          const tested = yield* send(baseUrl, "POST", `${adapter}/test`, { as: "admin" })
          assert.deepInclude(tested.body, { reasonCode }, name)
          if (reasonCode === "credential_unlisted") assert.include(tested.body.message, "SERVICE_SECRETS")
        }
      })
  )

  it.scopedLive("tells variables that nobody reads and keys that can be guessed, a line each", () =>
    Effect.gen(function* () {
      const started = yield* Process.start(yield* temporaryDirectory, {
        SERVICE_PROT: "3001",
        SERVICE_ADMIN_KEY: "short"
      })
      const lines = started.output().split("\n")
      assert.lengthOf(
        lines.filter((line) =>
          line.includes("SERVICE_PROT is no variable of Muster: did you mean SERVICE_PORT?")
        ),
        1
      )
      assert.lengthOf(
        lines.filter((line) => line.includes("SERVICE_ADMIN_KEY has fewer than 16 characters")),
        1
      )
      assert.notInclude(started.output(), "short\n")
    })
  )

  it.scopedLive("of a newcomer makes a key, says where it is, and lets in who has it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const noKeys = { SERVICE_ADMIN_KEY: "", SERVICE_API_KEYS: "" }
      const first = yield* Process.start(directory, noKeys)
      const file = join(directory, "admin-key")
      assert.include(first.output(), file)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const key = readFileSync(file, "utf8").trim()
      assert.isAtLeast(key.length, 32)
      assert.notInclude(first.output(), key)
      const codeFile = join(directory, "setup-code")
      assert.include(first.output(), codeFile)
      assert.strictEqual(statSync(codeFile).mode & 0o777, 0o600)
      assert.notInclude(first.output(), readFileSync(codeFile, "utf8").trim())
      const headers = { "x-api-key": key }
      const counted = yield* send(first.baseUrl, "GET", "/api/tasks/counts", { as: null, headers })
      assert.strictEqual(counted.status, 200)
      yield* first.end("SIGTERM")
      const second = yield* Process.start(directory, noKeys)
      const again = yield* send(second.baseUrl, "GET", "/api/tasks/counts", { as: null, headers })
      assert.strictEqual(again.status, 200)
    })
  )
})
