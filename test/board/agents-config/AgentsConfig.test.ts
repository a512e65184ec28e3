import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { ask } from "../../support/Board.ts"
import { type As, temporaryDirectory, World, world, worldIn } from "../../support/World.ts"

const codex = {
  type: "codex",
  name: "Codex",
  provider: "app-server",
  enabled: true,
  command: "codex",
  args: ["app-server"],
  model: "gpt-5",
  passthroughEnv: ["OPENAI_API_KEY"],
  sandboxPresetId: "strict",
  profileId: "codex"
}
const elsewhere = { type: "elsewhere", name: "Works elsewhere", provider: "gateway", enabled: true }

const put = (...agents: ReadonlyArray<object>) =>
  Effect.flatMap(World, ({ request }) =>
    request("PUT", "/api/config/agents", { as: "admin", body: { agents } })
  )

const setDefault = (agent: unknown) =>
  Effect.flatMap(World, ({ request }) =>
    request("PUT", "/api/config/default-agent", { as: "admin", body: { agent } })
  )

describe("the configuration", () => {
  it.scopedLive("has no agents until somebody configures them, and keeps them across a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.gen(function* () {
        const fresh = yield* ask("GET", "/api/config")
        assert.match(fresh.version, /^\d+\.\d+\.\d+/)
        assert.deepInclude(fresh, { interfaceVersion: "6.1.3", agents: [], defaultAgent: null })
        const { body, status } = yield* put(codex, elsewhere)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body, { agents: [codex, elsewhere] })
        assert.deepStrictEqual((yield* setDefault("codex")).body, { agent: "codex" })
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* ask("GET", "/api/config/agents"), { agents: [codex, elsewhere] })
        assert.deepInclude(yield* ask("GET", "/api/config"), { defaultAgent: "codex" })
      }).pipe(Effect.provide(worldIn(directory)), Effect.scoped)
    })
  )

  it.scopedLive("has a default agent only as long as that is configured", () =>
    Effect.gen(function* () {
      const missing = yield* setDefault("codex")
      assert.strictEqual(missing.status, 404)
      assert.deepInclude(missing.body, { code: "NOT_FOUND", details: { agent: "codex" } })
      yield* put(codex, elsewhere)
      yield* setDefault("codex")
      yield* put(codex)
      assert.strictEqual((yield* ask("GET", "/api/config")).defaultAgent, "codex")
      yield* put(elsewhere)
      assert.isNull((yield* ask("GET", "/api/config")).defaultAgent)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("refuses agents that could not be started, and names each fault", () =>
    Effect.gen(function* () {
      const { command: _, args: __, ...bare } = codex
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [{ ...codex, type: "No blanks" }, "agents.0.type"],
        [{ ...codex, type: "" }, "agents.0.type"],
        [{ ...codex, name: " " }, "agents.0.name"],
        [{ ...codex, provider: "magic" }, "agents.0.provider"],
        [{ ...codex, enabled: "yes" }, "agents.0.enabled"],
        [bare, "agents.0.command"],
        [{ ...elsewhere, command: "sh" }, "agents.0.command"],
        [{ ...codex, args: ["--key", `sk-ant-api03-${"aB3".repeat(30)}`] }, "agents.0.args.1"],
        [{ ...codex, passthroughEnv: ["not a name"] }, "agents.0.passthroughEnv.0"],
        [{ ...codex, passthroughEnv: ["SERVICE_ADMIN_KEY"] }, "agents.0.passthroughEnv.0"],
        [{ ...codex, passthroughEnv: ["RELAY_PRIVATE_KEY"] }, "agents.0.passthroughEnv.0"],
        [{ ...codex, env: { KEY: "value" } }, "agents.0.env"]
      ]
      for (const [agent, path] of wrong) {
        const { body, status } = yield* put(agent)
        assert.strictEqual(status, 400, JSON.stringify(agent))
        assert.strictEqual(body.code, "VALIDATION_ERROR")
        assert.deepInclude(
          body.details.issues.map((issue: { path: string }) => issue.path),
          path
        )
        assert.notInclude(JSON.stringify(body), "sk-ant-api03")
      }
      const twice = yield* put(codex, { ...codex, name: "Again" })
      assert.strictEqual(twice.status, 400)
      assert.deepStrictEqual(twice.body.details.issues[0].path, "agents.1.type")
      assert.strictEqual((yield* put(...Array(101).fill(elsewhere))).status, 400)
      assert.deepStrictEqual(yield* ask("GET", "/api/config/agents"), { agents: [] })
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("is read by everybody with a key and changed by admins", () =>
    Effect.gen(function* () {
      const { request } = yield* World
      for (const path of ["/api/config", "/api/config/agents", "/api/config/agent-support"]) {
        assert.strictEqual((yield* request("GET", path, { as: null })).status, 401)
        assert.strictEqual((yield* request("GET", path, { as: "read-only" })).status, 200)
      }
      for (const path of ["/api/config/agents", "/api/config/default-agent"]) {
        assert.strictEqual((yield* request("PUT", path, { body: {} })).status, 403)
      }
    }).pipe(Effect.provide(world()))
  )
})

/**
 * A directory with programs in it: a good one, one that answers as a script tells it to, one that may not run, and one
 * that leaves a trace when it runs.
 */
const programsWith = (gemini: string) =>
  Effect.map(temporaryDirectory, (directory) => {
    const bin = join(directory, "bin")
    const trace = join(directory, "trace")
    mkdirSync(bin)
    const program = (name: string, script: string) =>
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    program("codex", `echo "codex-cli 1.2.3 in $HOME with [$OPENAI_API_KEY] at ${directory}"`)
    program("gemini", gemini)
    program("unknown-agent", `touch ${trace}`)
    program("locked", "true")
    chmodSync(join(bin, "locked"), 0o644)
    return { bin, trace }
  })

const programs = programsWith("echo 1.0.0")

const secret = "the-value-of-the-key"

/** What somebody sees of the agents. */
const supportAs = (as: As) =>
  Effect.map(ask("GET", "/api/config/agent-support", { as }), (all) =>
    Object.fromEntries(all.map((entry: { type: string }) => [entry.type, entry]))
  )

/** A world whose programs lie in a directory. */
const inWorldOf =
  (bin: string) =>
  <A, E>(test: Effect.Effect<A, E, World>) =>
    test.pipe(
      Effect.provide(
        Layer.provide(
          world(),
          Layer.setConfigProvider(
            ConfigProvider.fromMap(
              new Map([
                ["PATH", `${bin}:/usr/bin:/bin`],
                ["HOME", "/nowhere"],
                ["OPENAI_API_KEY", secret],
                ["OTHER_KEY", secret]
              ])
            )
          )
        )
      ),
      Effect.scoped
    )

const supportIn = (bin: string, agents: ReadonlyArray<object>) =>
  Effect.zipRight(put(...agents), supportAs("admin")).pipe(inWorldOf(bin))

describe("the support of agents", () => {
  it.scopedLive("says what a program is, what is left to do, and no secret and no path", () =>
    Effect.gen(function* () {
      const { bin, trace } = yield* programs
      const custom = { ...codex, profileId: undefined, command: "unknown-agent", args: [] }
      const found = yield* supportIn(bin, [
        codex,
        elsewhere,
        { ...custom, type: "custom", passthroughEnv: ["OTHER_KEY"] },
        { ...custom, type: "keyless", passthroughEnv: ["NOT_SET"] },
        { ...custom, type: "by-path", command: join(bin, "unknown-agent"), enabled: false },
        { ...custom, type: "locked", command: "locked" },
        { ...custom, type: "gone", command: "no-such-program" }
      ])
      assert.deepInclude(found["codex"], {
        configured: true,
        profile: "codex",
        adapter: "app-server",
        transport: "json-rpc-stdio",
        enabled: true,
        tier: "supported",
        reasonCode: "ready",
        executable: { posture: "found", name: "codex" },
        auth: { posture: "present", variables: [{ name: "OPENAI_API_KEY", set: true }] },
        diagnosticCommands: ["command -v codex", "codex --version"],
        remediation: []
      })
      assert.deepInclude(found["codex"].version, { value: "1.2.3", source: "version-flag" })
      assert.match(found["codex"].manifestDigest, /^sha256:[0-9a-f]{64}$/)
      assert.isNull(found["claude-code"].manifestDigest)
      assert.deepInclude(found["elsewhere"], {
        tier: "supported",
        transport: "http-callback",
        reasonCode: "callback",
        executable: { posture: "not-needed", name: null }
      })
      assert.deepInclude(found["custom"], { tier: "advisory", reasonCode: "no-profile" })
      assert.deepInclude(found["custom"].version, { value: null, source: "none", checkedAt: null })
      assert.deepInclude(found["keyless"], { tier: "advisory", reasonCode: "credential-missing" })
      assert.deepStrictEqual(found["keyless"].remediation, ["Start the server with NOT_SET set"])
      assert.deepInclude(found["by-path"], { tier: "advisory", reasonCode: "disabled" })
      assert.deepInclude(found["by-path"].executable, { posture: "found", name: "unknown-agent" })
      assert.deepInclude(found["locked"], { tier: "unsupported", reasonCode: "not-executable" })
      assert.deepInclude(found["gone"], { tier: "unsupported", reasonCode: "executable-missing" })
      assert.deepInclude(found["claude-code"], {
        configured: false,
        enabled: false,
        tier: "unsupported",
        reasonCode: "executable-missing"
      })
      const text = JSON.stringify(found)
      assert.notInclude(text, secret)
      assert.notInclude(text, bin)
      assert.notInclude(text, "/nowhere")
      assert.isFalse(existsSync(trace), "a program that nobody knows was run")
    })
  )

  it.scopedLive("does not wait for a program that does not answer", () =>
    Effect.gen(function* () {
      const { bin } = yield* programsWith("sleep 60")
      const found = yield* supportIn(bin, [
        { ...codex, type: "gemini", provider: "acp", command: "gemini", profileId: undefined, args: [] }
      ])
      assert.deepInclude(found["gemini"], { tier: "unknown", reasonCode: "no-version" })
      assert.strictEqual(found["gemini"].version.value, null)
    })
  )

  it.scopedLive("starts nothing for who may only read it, and shows what was found", () =>
    Effect.gen(function* () {
      const { bin, trace } = yield* programs
      writeFileSync(join(bin, "codex"), `#!/bin/sh\ntouch ${trace}\necho 1.2.3\n`, { mode: 0o755 })
      yield* Effect.gen(function* () {
        yield* put(codex)
        for (const as of ["agent", "read-only"] as const) {
          const { codex: unasked } = yield* supportAs(as)
          assert.deepInclude(unasked, { tier: "unknown", reasonCode: "not-asked" })
          assert.deepInclude(unasked.version, { value: null, source: "none", checkedAt: null })
        }
        assert.isFalse(existsSync(trace), "a read ran a program")
        assert.strictEqual((yield* supportAs("admin"))["codex"].version.value, "1.2.3")
        for (const as of ["agent", "read-only"] as const) {
          assert.deepInclude((yield* supportAs(as))["codex"], { tier: "supported", reasonCode: "ready" })
        }
      }).pipe(inWorldOf(bin))
    })
  )
})
