import { existsSync, readFileSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Process from "./support/Process.ts"
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

describe.concurrent("a start", () => {
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
