import { spawn } from "node:child_process"
import { closeSync, existsSync, openSync } from "node:fs"
import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { testKeys } from "./support/Process.ts"
import { send, temporaryDirectory } from "./support/World.ts"

/** A port that nobody listens on. */
const freePort = Effect.async<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** Starts a server whose output goes to a file descriptor, or to a pipe. Its greeting may never be heard. */
const startInto = (output: number | "pipe") =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const port = yield* freePort
    const variables = { SERVICE_DATA_DIR: directory, SERVICE_PORT: String(port), SERVICE_LOG_LEVEL: "debug" }
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, ["dist/main.js"], {
          env: { PATH: process.env["PATH"], ...testKeys, ...variables },
          stdio: ["ignore", output, output]
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    const baseUrl = `http://127.0.0.1:${port}`
    const isUp = Effect.sandbox(send(baseUrl, "GET", "/health", { as: null }))
    return { child, baseUrl, up: Effect.retry(isUp, Schedule.spaced("50 millis")) }
  })

/** Makes a server say something, again and again, and asserts that it lives. */
const assertLives = (baseUrl: string) =>
  Effect.forEach(Array.from({ length: 20 }), () =>
    Effect.map(send(baseUrl, "POST", "/api/tasks", { body: { title: "T" } }), ({ status }) =>
      assert.strictEqual(status, 201)
    )
  )

describe.runIf(existsSync("/dev/full"))("a server whose log is on a full disk", () => {
  it.scopedLive("goes on without it", () =>
    Effect.gen(function* () {
      const full = yield* Effect.acquireRelease(
        Effect.sync(() => openSync("/dev/full", "w")),
        (file) => Effect.sync(() => closeSync(file))
      )
      const { baseUrl, child, up } = yield* startInto(full)
      yield* up
      yield* assertLives(baseUrl)
      assert.isNull(child.exitCode)
    })
  )
})

describe("a server whose output nobody takes", () => {
  it.scopedLive("goes on when the pipe was closed", () =>
    Effect.gen(function* () {
      const { baseUrl, child, up } = yield* startInto("pipe")
      child.stdout?.destroy()
      child.stderr?.destroy()
      yield* up
      yield* assertLives(baseUrl)
      assert.isNull(child.exitCode)
    })
  )
})
