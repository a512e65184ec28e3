import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execute, type Installed, install } from "../support/Binary.ts"
import { programs } from "../support/Programs.ts"
import { deserted } from "../support/Stub.ts"
import { keys, temporaryDirectory, World, world } from "../support/World.ts"

let installed: Installed
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

/** The command as it is installed, and the same in few files, which starts in half the time. */
const installedMuster = (...args: ReadonlyArray<string>) =>
  execute(process.execPath, [installed.main, ...args])
const muster = (args: ReadonlyArray<string>, options: Parameters<typeof execute>[2] = {}) =>
  execute(process.execPath, [programs.command, ...args], options)

describe("the installed command", () => {
  it.live("explains itself, its environment and its exit codes", () =>
    Effect.gen(function* () {
      const { exitCode, stderr, stdout } = yield* installedMuster("--help")
      assert.deepStrictEqual([exitCode, stderr], [0, ""])
      for (const name of [
        "next",
        "begin",
        "done",
        "block",
        "unblock",
        "time",
        "list",
        "show",
        "search",
        "create",
        "import",
        "reindex",
        "audit",
        "workspaces",
        "mcp",
        "doctor"
      ]) {
        assert.match(stdout, new RegExp(`^ {2}${name} `, "m"), name)
      }
      for (const text of [
        "SERVICE_API_URL",
        "SERVICE_API_KEY",
        "SERVICE_DATA_DIR",
        "EXIT CODES",
        "6  the server"
      ]) {
        assert.include(stdout, text)
      }
      assert.isFalse(stdout.includes("\u001b"), "colours are for terminals")
      for (const [group, name] of [
        ["time", "show"],
        ["audit", "verify"],
        ["mcp", "config"]
      ] as const) {
        assert.match((yield* muster([group, "--help"])).stdout, new RegExp(`^ {2}${name} `, "m"), name)
      }
      const done = yield* installedMuster("done", "--help")
      assert.include(done.stdout, "--summary TEXT")
      assert.include(done.stdout, '$ muster done task_5d8v0kq2m1x7c9zr --summary "Added the index"')
      const version = yield* muster(["--version"])
      assert.match(version.stdout, /^\d+\.\d+\.\d+/)
    })
  )

  it.live("runs as a program of its own", () =>
    Effect.gen(function* () {
      yield* Effect.sync(() => chmodSync(installed.main, 0o755))
      const { exitCode, stdout } = yield* execute(installed.main, ["--version"])
      assert.strictEqual(exitCode, 0)
      assert.match(stdout, /^\d/)
    })
  )

  it.live("exits with 2 when it is used wrongly, and keeps stdout for JSON", () =>
    Effect.gen(function* () {
      for (const args of [["begin"], ["fly"], ["begin", "T-1", "now"], ["list", "--limit", "0"]]) {
        const told = yield* muster(args)
        assert.deepStrictEqual([told.exitCode, told.stdout], [2, ""], args.join(" "))
        assert.include(told.stderr, "--help")
      }
      const json = yield* muster(["begin", "--json"])
      assert.strictEqual(json.exitCode, 2)
      assert.deepStrictEqual(JSON.parse(json.stdout), {
        error: "Missing argument <ID>",
        code: "USAGE",
        details: {}
      })
    })
  )

  it.live("exits with 6 when nobody answers", () =>
    Effect.gen(function* () {
      const { exitCode, stderr } = yield* muster(["list"], {
        environment: { SERVICE_API_URL: yield* deserted }
      })
      assert.strictEqual(exitCode, 6)
      assert.include(stderr, "nobody listens there")
      assert.include(stderr, "npm start")
    })
  )

  it.scopedLive("finds the key of the first start in the directory where it runs", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* World
      const cwd = yield* temporaryDirectory
      mkdirSync(join(cwd, "data"))
      writeFileSync(join(cwd, "data", "admin-key"), `${keys.admin}\n`, { mode: 0o600 })
      const environment = { SERVICE_API_URL: baseUrl }
      const created = yield* muster(["create", "Find", "the", "key", "--json"], { environment, cwd })
      assert.strictEqual(created.exitCode, 0, created.stderr)
      assert.deepInclude(JSON.parse(created.stdout), { title: "Find the key", createdBy: "admin" })
      const without = yield* muster(["list"], {
        environment: { ...environment, SERVICE_DATA_DIR: "/nowhere" }
      })
      assert.strictEqual(without.exitCode, 3)
      assert.include(without.stderr, "SERVICE_ADMIN_KEY")
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("ends in silence when its reader has read enough", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* World
      const raw = Array.from({ length: 1_500 }, (_, index) => `{"title":"Task ${index}"}`).join("\n")
      yield* request("POST", "/api/tasks/import", {
        as: "admin",
        raw,
        headers: { "content-type": "text/plain" }
      })
      const environment = { SERVICE_API_URL: baseUrl, SERVICE_API_KEY: keys.agent }
      const script = `"${process.execPath}" "${programs.command}" list --json | head -n 1`
      const { exitCode, stderr, stdout } = yield* execute("sh", ["-c", script], { environment })
      assert.deepStrictEqual([exitCode, stdout, stderr], [0, "{\n", ""])
      const whole = yield* muster(["list", "--json"], { environment })
      assert.strictEqual(JSON.parse(whole.stdout).tasks.length, 1_500)
    }).pipe(Effect.provide(world()))
  )
})
