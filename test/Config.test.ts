import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, LogLevel, Redacted } from "effect"
import { environment, explain } from "../src/Config.ts"
import { unknownVariables, variableNames } from "../src/kernel/VariableNames.ts"
import { retentions } from "../src/Program.ts"
import { withOwn } from "../src/storage/retention/Sweep.ts"

const read = (variables: Record<string, string>) =>
  Effect.withConfigProvider(environment, ConfigProvider.fromMap(new Map(Object.entries(variables))))

/** What an operator is told about these variables. */
const complaint = (variables: Record<string, string>) => Effect.map(Effect.flip(read(variables)), explain)

const manual = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "")

describe("the environment", () => {
  it.effect("may be empty: then the board is on this machine alone, and needs a key", () =>
    Effect.gen(function* () {
      const { logFormat, logLevel, settings } = yield* read({})
      assert.strictEqual(logLevel, LogLevel.Info)
      assert.strictEqual(logFormat, "pretty")
      assert.deepStrictEqual(settings, {
        directory: "./data",
        host: "127.0.0.1",
        port: 3001,
        access: { allowedHosts: [], allowedOrigins: [] },
        auth: {
          enabled: true,
          adminKey: undefined,
          apiKeys: [],
          localhostBypass: false,
          localhostRole: "read-only",
          signingSecret: undefined
        },
        outbound: { loopback: true, privateNetwork: false },
        secrets: new Map(),
        search: { backend: "keyword", docs: undefined, manual, embeddings: undefined },
        worktrees: { directory: undefined, editor: undefined, trashDays: 7 },
        keep: {
          events: { days: undefined, count: undefined },
          operations: { days: undefined },
          telemetry: { days: undefined, count: undefined },
          traces: { days: undefined, count: undefined },
          deliveries: { days: undefined, count: undefined },
          receipts: { days: undefined, count: undefined },
          runs: { days: undefined, count: undefined },
          outputs: { days: undefined, count: undefined },
          approvals: { days: undefined, count: undefined },
          admission: { days: undefined, count: undefined }
        }
      })
      const blank = ["SERVICE_PORT", "SERVICE_API_KEYS", "SERVICE_ADMIN_KEY", "SERVICE_LOG_LEVEL"]
      const blanks = Object.fromEntries(blank.map((name) => [name, "  "]))
      assert.deepStrictEqual((yield* read(blanks)).settings, settings)
    })
  )

  it.effect("says every word that it knows, in any of its forms", () =>
    Effect.gen(function* () {
      const { logFormat, logLevel, settings } = yield* read({
        SERVICE_DATA_DIR: "/var/lib/muster",
        SERVICE_SQLITE_PATH: "/var/lib/board.db",
        SERVICE_SQLITE_TOPOLOGY: "single-host",
        SERVICE_SQLITE_HOST_ID: "board-1.example",
        SERVICE_PORT: "0",
        PORT: "8080",
        SERVICE_HOST: "::1",
        SERVICE_ALLOWED_HOSTS: "Board.example.com, other:8080,",
        SERVICE_ALLOWED_ORIGINS: "https://app.example.com,http://localhost:5173",
        SERVICE_AUTH_ENABLED: "no",
        SERVICE_ADMIN_KEY: "the admin's",
        SERVICE_API_KEYS: "codex:a:b:c:agent, reader:d:read-only",
        SERVICE_AUTH_LOCALHOST_BYPASS: "1",
        SERVICE_AUTH_LOCALHOST_ROLE: "agent",
        SERVICE_OUTBOUND_ALLOW_LOOPBACK: "no",
        SERVICE_SECRETS: "GITHUB_TOKEN, HOOK_KEY",
        GITHUB_TOKEN: "the token",
        HOOK_KEY: "the key",
        OTHER_KEY: "not for settings",
        SERVICE_WORKTREES_DIR: "/var/lib/worktrees",
        SERVICE_EDITOR_COMMAND: "code --reuse-window",
        SERVICE_WORKTREE_TRASH_DAYS: "30",
        SERVICE_AGENT_HEARTBEAT_TIMEOUT_SECONDS: "120",
        SERVICE_KEEP_EVENTS_DAYS: "3650",
        SERVICE_KEEP_EVENTS_COUNT: "1000",
        SERVICE_KEEP_OPERATIONS_DAYS: "7",
        SERVICE_KEEP_TELEMETRY_DAYS: "0",
        SERVICE_KEEP_TELEMETRY_COUNT: "100000000",
        SERVICE_KEEP_TRACES_DAYS: "90",
        SERVICE_KEEP_TRACES_COUNT: "0",
        SERVICE_KEEP_DELIVERIES_DAYS: "1",
        SERVICE_KEEP_DELIVERIES_COUNT: "500",
        SERVICE_KEEP_RUNS_DAYS: "30",
        SERVICE_KEEP_RUNS_COUNT: "1000",
        SERVICE_KEEP_OUTPUTS_COUNT: "5",
        SERVICE_KEEP_RECEIPTS_DAYS: "14",
        SERVICE_KEEP_RECEIPTS_COUNT: "0",
        SERVICE_KEEP_APPROVALS_DAYS: "30",
        SERVICE_KEEP_APPROVALS_COUNT: "100",
        SERVICE_KEEP_ADMISSION_DAYS: "60",
        SERVICE_KEEP_ADMISSION_COUNT: "10",
        SERVICE_OUTBOUND_ALLOW_PRIVATE_NETWORK: "yes",
        SERVICE_LOG_LEVEL: "DEBUG",
        SERVICE_LOG_FORMAT: "json"
      })
      assert.strictEqual(logLevel, LogLevel.Debug)
      assert.strictEqual(logFormat, "json")
      const { auth, secrets, ...rest } = settings
      assert.deepStrictEqual(rest, {
        directory: "/var/lib/muster",
        databaseFile: "/var/lib/board.db",
        sqlite: { topology: "single-host", hostId: "board-1.example" },
        host: "::1",
        port: 0,
        access: {
          allowedHosts: ["board.example.com", "other:8080"],
          allowedOrigins: ["https://app.example.com", "http://localhost:5173"]
        },
        search: { backend: "keyword", docs: undefined, manual, embeddings: undefined },
        outbound: { loopback: false, privateNetwork: true },
        worktrees: { directory: "/var/lib/worktrees", editor: ["code", "--reuse-window"], trashDays: 30 },
        heartbeatTimeoutSeconds: 120,
        keep: {
          events: { days: 3_650, count: 1_000 },
          operations: { days: 7 },
          telemetry: { days: 0, count: 100_000_000 },
          traces: { days: 90, count: 0 },
          deliveries: { days: 1, count: 500 },
          receipts: { days: 14, count: 0 },
          runs: { days: 30, count: 1_000 },
          outputs: { days: undefined, count: 5 },
          approvals: { days: 30, count: 100 },
          admission: { days: 60, count: 10 }
        }
      })
      assert.deepStrictEqual(
        [...secrets].map(([name, secret]) => [name, Redacted.value(secret)]),
        [
          ["GITHUB_TOKEN", "the token"],
          ["HOOK_KEY", "the key"]
        ]
      )
      assert.deepInclude(auth, { enabled: false, localhostBypass: true, localhostRole: "agent" })
      assert.deepStrictEqual(
        auth.apiKeys.map(({ key, name, role }) => [name, Redacted.value(key), role]),
        [
          ["codex", "a:b:c", "agent"],
          ["reader", "d", "read-only"]
        ]
      )
      assert.strictEqual((yield* read({ PORT: "8080" })).settings.port, 8080)
    })
  )

  it.effect("binds secrets to the hosts that it names behind them", () =>
    Effect.gen(function* () {
      const { settings } = yield* read({
        SERVICE_SECRETS: "TOKEN@API.example.com, TOKEN@ghe.example.com:8443,OTHER@[::1]:443,KEY",
        TOKEN: "a",
        OTHER: "b",
        KEY: "c"
      })
      assert.sameMembers([...settings.secrets.keys()], ["TOKEN", "OTHER", "KEY"])
      assert.deepStrictEqual(
        [...(settings.secretPlaces ?? [])],
        [
          ["TOKEN", ["api.example.com", "ghe.example.com:8443"]],
          ["OTHER", ["[::1]"]]
        ]
      )
    })
  )

  it.effect("leads to this machine by none of its names where that is not allowed", () =>
    Effect.gen(function* () {
      for (const name of [
        "localhost",
        "localhost6",
        "ip6-localhost",
        "ip6-loopback",
        "a.localhost",
        "localhost."
      ]) {
        const variables = { SERVICE_SEARCH_EMBEDDINGS_URL: `http://${name}:8080/v1` }
        yield* read(variables)
        const refused = yield* Effect.flip(read({ ...variables, SERVICE_ENV: "production" }))
        assert.match(explain(refused), /^SERVICE_SEARCH_EMBEDDINGS_URL leads to this machine/, name)
      }
    })
  )

  it.effect("of production lets nobody in for being on this machine, and logs for collectors", () =>
    Effect.gen(function* () {
      const bypass = { SERVICE_AUTH_LOCALHOST_BYPASS: "true" }
      for (const production of [{ NODE_ENV: "production" }, { SERVICE_ENV: "production" }]) {
        const { logFormat, settings } = yield* read({ ...bypass, ...production })
        assert.isFalse(settings.auth.localhostBypass)
        assert.strictEqual(logFormat, "json")
      }
      const { settings } = yield* read({ ...bypass, NODE_ENV: "production", SERVICE_ENV: "development" })
      assert.isTrue(settings.auth.localhostBypass)
    })
  )

  it.effect("is refused by the name of each variable that is wrong, with what it must be", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<readonly [string, string, RegExp]> = [
        ["SERVICE_PORT", "many", /from 0 to 65535/],
        ["SERVICE_PORT", "65536", /from 0 to 65535/],
        ["SERVICE_PORT", "-1", /from 0 to 65535/],
        ["PORT", "3001.5", /from 0 to 65535/],
        ["SERVICE_AUTH_ENABLED", "maybe", /true or false/],
        ["SERVICE_AUTH_LOCALHOST_BYPASS", "maybe", /true or false/],
        ["SERVICE_AUTH_LOCALHOST_ROLE", "root", /admin, agent or read-only/],
        ["SERVICE_ALLOWED_ORIGINS", "*", /https:\/\/board\.example\.com/],
        ["SERVICE_ALLOWED_ORIGINS", "null", /https:\/\/board\.example\.com/],
        ["SERVICE_ALLOWED_ORIGINS", "https://a.example.com/path", /https:\/\/board\.example\.com/],
        ["SERVICE_ALLOWED_ORIGINS", "app.example.com", /https:\/\/board\.example\.com/],
        ["SERVICE_SQLITE_TOPOLOGY", "cluster", /single-host or multi-host/],
        ["SERVICE_SQLITE_HOST_ID", "my host", /1 to 128 letters/],
        ["SERVICE_SECRETS", "no name", /separated by commas/],
        ["SERVICE_SECRETS", "PATH@", /separated by commas/],
        ["SERVICE_SECRETS", "PATH@a@b", /separated by commas/],
        ["SERVICE_SECRETS", "PATH@https://example.com", /separated by commas/],
        ["SERVICE_SECRETS", "PATH@example.com/path", /separated by commas/],
        ["SERVICE_SECRETS", "PATH@example.com,PATH", /is not listed without a host too/],
        ["SERVICE_SECRETS", "NOT_SET@example.com", /lists NOT_SET, which is not set/],
        ["SERVICE_SEARCH_EMBEDDINGS_URL", "http://169.254.169.254/v1", /metadata service/],
        ["SERVICE_SEARCH_EMBEDDINGS_URL", "http://exa\nmple.com/", /http or https URL/],
        ["SERVICE_SEARCH_EMBEDDINGS_URL", "http://10.0.0.1/v1", /ALLOW_PRIVATE_NETWORK/],
        ["SERVICE_SECRETS", "NOT_SET", /lists NOT_SET, which is not set/],
        ["SERVICE_KEEP_EVENTS_DAYS", "0", /days from 1 to 3650/],
        ["SERVICE_KEEP_EVENTS_DAYS", "3651", /days from 1 to 3650/],
        ["SERVICE_KEEP_EVENTS_COUNT", "999", /rows from 1000 to 100000000/],
        ["SERVICE_KEEP_OPERATIONS_DAYS", "6", /days from 7 to 3650/],
        ["SERVICE_KEEP_TELEMETRY_DAYS", "1.5", /days from 0 to 3650/],
        ["SERVICE_KEEP_TRACES_DAYS", "for good", /days from 0 to 3650/],
        ["SERVICE_KEEP_TRACES_COUNT", "100000001", /rows from 0 to 100000000/],
        ["SERVICE_KEEP_DELIVERIES_COUNT", "-1", /rows from 0 to 100000000/],
        ["SERVICE_KEEP_RECEIPTS_DAYS", "-1", /days from 0 to 3650/],
        ["SERVICE_LOG_LEVEL", "loud", /trace, debug, info, warning, error or none/],
        ["SERVICE_LOG_FORMAT", "xml", /pretty or json/],
        ["SERVICE_API_KEYS", "codex", /item 1 .*name:key:role/],
        ["SERVICE_API_KEYS", "codex:sEcReT", /item 1 .*name:key:role/],
        ["SERVICE_API_KEYS", "codex:sEcReT:root", /item 1 .*a role: admin, agent or read-only/],
        ["SERVICE_API_KEYS", "a:sEcReT:agent,,b:sEcReT2:agent", /item 2/],
        ["SERVICE_API_KEYS", "a::agent", /item 1 .*a name and a key/],
        ["SERVICE_API_KEYS", "a:sEcReT:agent,a:sEcReT2:admin", /item 2 repeats the name/]
      ]
      for (const [name, value, remedy] of wrong) {
        const told = yield* complaint({ [name]: value })
        assert.isTrue(told.startsWith(`${name} `), told)
        assert.match(told, remedy)
        assert.notInclude(told, "sEcReT")
      }
    })
  )

  it("has names that are listed once, described in .env.example, and read somewhere", () => {
    const described = readFileSync(new URL("../.env.example", import.meta.url), "utf8")
    const named = [...described.matchAll(/^(SERVICE_\w+)=/gm)].map(([, name]) => name)
    assert.sameMembers([...variableNames], named)
    const sources = ["Config.ts", "Variables.ts", "client/Connection.ts"].map((file) =>
      readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8")
    )
    for (const name of variableNames) {
      assert.isTrue(
        sources.some((source) => source.includes(`"${name}"`)),
        name
      )
    }
  })

  it("tells in .env.example how long is kept what the operator says nothing of", () => {
    const described = readFileSync(new URL("../.env.example", import.meta.url), "utf8")
    const told = Object.fromEntries(
      [...described.matchAll(/^SERVICE_KEEP_(\w+)=(\d+)$/gm)].map(([, name = "", value]) => [
        name,
        Number(value)
      ])
    )
    const kept = withOwn(retentions).flatMap(({ name, span }) => [
      [`${name.toUpperCase()}_DAYS`, span.days],
      ...(name === "operations" ? [] : [[`${name.toUpperCase()}_COUNT`, span.count]])
    ])
    assert.deepStrictEqual(told, Object.fromEntries(kept))
  })

  it("has unknown names told with the nearest one that is known", () => {
    const told = (name: string) => unknownVariables([name])
    assert.deepStrictEqual(told("SERVICE_DATA_DIRECTORY"), [
      "SERVICE_DATA_DIRECTORY is no variable of Muster"
    ])
    for (const [wrong, right] of [
      ["SERVICE_DATADIR", "SERVICE_DATA_DIR"],
      ["SERVICE_ADMIN_KEYS", "SERVICE_ADMIN_KEY"],
      ["SERVICE_API_KEZ", "SERVICE_API_KEY"],
      ["SERVICE_ALLOW_HOSTS", "SERVICE_ALLOWED_HOSTS"]
    ] as const) {
      assert.deepStrictEqual(told(wrong), [`${wrong} is no variable of Muster: did you mean ${right}?`])
    }
    for (const known of [...variableNames, "PATH", "RELAY_X", "service_port"]) {
      assert.deepStrictEqual(told(known), [])
    }
    assert.deepStrictEqual(unknownVariables(["SERVICE_HOOK_KEY"], ["SERVICE_HOOK_KEY"]), [])
    assert.lengthOf(told(`SERVICE_${"X".repeat(100_000)}`), 1)
  })

  it.effect("is refused when it would open the board to everybody", () =>
    Effect.gen(function* () {
      for (const host of ["0.0.0.0", "::", "192.168.1.7", "board.example.com"]) {
        const told = yield* complaint({ SERVICE_AUTH_ENABLED: "false", SERVICE_HOST: host })
        assert.include(told, "SERVICE_AUTH_ENABLED must stay true")
        assert.include(told, host)
      }
      for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "::1"]) {
        const { settings } = yield* read({ SERVICE_AUTH_ENABLED: "false", SERVICE_HOST: host })
        assert.isFalse(settings.auth.enabled)
      }
    })
  )
})
