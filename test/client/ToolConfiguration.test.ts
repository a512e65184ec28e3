import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Effect } from "effect"
import { type Installed, install } from "../support/Binary.ts"
import { cliWith } from "../support/Cli.ts"
import { toolsOf } from "../support/Tools.ts"
import { keys, temporaryDirectory, World, world } from "../support/World.ts"

const configured = (client: string, environment: Readonly<Record<string, string>> = {}) =>
  cliWith({ SERVICE_DATA_DIR: "/nowhere", ...environment }, "mcp", "config", client)

const main = "/nowhere/dist/cli/main.js"
const url = "http://board.test:3001"

describe("the configuration for", () => {
  it.live("Claude Code is a .mcp.json, and a command to copy", () =>
    Effect.gen(function* () {
      const { exitCode, json, stderr } = yield* configured("claude-code", { SERVICE_API_URL: `${url}/api` })
      assert.strictEqual(exitCode, 0)
      assert.deepStrictEqual(json(), {
        mcpServers: {
          muster: {
            type: "stdio",
            command: process.execPath,
            args: [main, "mcp"],
            env: { SERVICE_API_URL: url, SERVICE_API_KEY: `\${SERVICE_API_KEY:-}` }
          }
        }
      })
      assert.include(stderr, "This belongs into .mcp.json.")
      assert.include(
        stderr,
        `claude mcp add --env 'SERVICE_API_URL=${url}' --env 'SERVICE_API_KEY=YOUR_KEY' --transport stdio muster -- '${process.execPath}' '${main}' mcp`
      )
    })
  )

  it.live("Cursor is a .cursor/mcp.json", () =>
    Effect.gen(function* () {
      const { json, stderr } = yield* configured("cursor", { SERVICE_API_URL: url })
      assert.deepStrictEqual(json(), {
        mcpServers: {
          muster: {
            type: "stdio",
            command: process.execPath,
            args: [main, "mcp"],
            env: { SERVICE_API_URL: url, SERVICE_API_KEY: `\${env:SERVICE_API_KEY}` }
          }
        }
      })
      assert.include(stderr, ".cursor/mcp.json")
    })
  )

  it.live("VS Code is a .vscode/mcp.json that asks for the key", () =>
    Effect.gen(function* () {
      const { json, stderr } = yield* configured("vscode", { SERVICE_API_URL: url })
      assert.deepStrictEqual(json(), {
        inputs: [
          {
            type: "promptString",
            id: "muster-key",
            description: "Muster: API key of an agent",
            password: true
          }
        ],
        servers: {
          muster: {
            type: "stdio",
            command: process.execPath,
            args: [main, "mcp"],
            env: { SERVICE_API_URL: url, SERVICE_API_KEY: `\${input:muster-key}` }
          }
        }
      })
      assert.include(stderr, ".vscode/mcp.json")
    })
  )

  it.live("any other program is refused, with the names of those that are known", () =>
    Effect.gen(function* () {
      const { exitCode, stderr, stdout } = yield* configured("emacs")
      assert.deepStrictEqual([exitCode, stdout], [2, ""])
      assert.include(stderr, "claude-code")
      const wrong = yield* configured("cursor", { SERVICE_API_URL: "nowhere" })
      assert.strictEqual(wrong.exitCode, 2)
    })
  )
})

describe("a configuration", () => {
  it.scopedLive("holds no key, and says where the key of this machine lies", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, "admin-key"), "the-key-of-this-machine\n")
      for (const client of ["claude-code", "cursor", "vscode"]) {
        const inFile = yield* configured(client, { SERVICE_DATA_DIR: directory })
        const inEnvironment = yield* configured(client, { SERVICE_API_KEY: "the-key-of-an-agent" })
        assert.include(inFile.stdout, `"SERVICE_DATA_DIR": "${directory}"`)
        assert.notInclude(inEnvironment.stdout, "SERVICE_DATA_DIR")
        for (const { stderr, stdout } of [inFile, inEnvironment]) {
          assert.notInclude(stdout + stderr, "the-key-of")
        }
      }
    })
  )

  it.scopedLive(
    "starts a tool server that reaches the board with the key of this machine",
    () =>
      Effect.gen(function* () {
        const installed: Installed = yield* Effect.acquireRelease(Effect.sync(install), ({ remove }) =>
          Effect.sync(remove)
        )
        const { baseUrl } = yield* World
        const data = join(installed.directory, "data")
        mkdirSync(data)
        writeFileSync(join(data, "admin-key"), `${keys.admin}\n`, { mode: 0o600 })
        const { json } = yield* configured("claude-code", {
          SERVICE_API_URL: baseUrl,
          SERVICE_DATA_DIR: data
        })
        const { args, command, env } = json().mcpServers.muster
        const transport = new StdioClientTransport({
          command,
          args: [args[0].replace("/nowhere", installed.directory), ...args.slice(1)],
          // What the program makes of a variable that is not set and has an empty default.
          env: { ...env, SERVICE_API_KEY: "" },
          cwd: "/"
        })
        const client = new Client({ name: "test", version: "0.0.0" })
        yield* Effect.acquireRelease(
          Effect.promise(() => client.connect(transport)),
          () => Effect.promise(() => client.close())
        )
        const { text } = yield* toolsOf(client).call("squad_chat", { message: "Hello" })
        assert.match(text, /posted as admin$/)
      }).pipe(Effect.provide(world())),
    120_000
  )
})
