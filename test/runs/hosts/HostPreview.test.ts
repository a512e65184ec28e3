import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Layer } from "effect"
import { preview } from "../../../src/runs/hosts/HostPreview.ts"
import { RuntimeManifests } from "../../../src/runs/hosts/RuntimeManifests.ts"
import { runtimeOf, runtimeWithDigest } from "../../../src/runs/hosts/Units.ts"
import { notProbed, ownRuntime } from "../../../src/runs/manifests/SynthesizeManifest.ts"
import { Storage } from "../../../src/storage/Storage.ts"
import { ask } from "../../support/Board.ts"
import { steppedClock } from "../../support/SteppedClock.ts"
import { type As, temporaryDirectory, World, world } from "../../support/World.ts"
import { manifest } from "../manifests/Manifest.ts"

const post = (path: string, body: object, as: As = "admin") =>
  Effect.flatMap(World, ({ request }) => request("POST", `/api/agents/${path}`, { as, body }))

const previewed = (required: ReadonlyArray<string>, as: As = "admin") =>
  Effect.map(post("hosts/preview", { requiredRuntimeCapabilities: required }, as), ({ body, status }) => {
    assert.strictEqual(status, 200)
    return body
  })

const register = (id: string, more: object = manifest) =>
  Effect.map(post("register", { id, name: id, providerRuntimeManifest: more }), ({ body, status }) => {
    assert.strictEqual(status, 201)
    return body
  })

const configure = (...agents: ReadonlyArray<object>) =>
  ask("PUT", "/api/config/agents", { as: "admin", body: { agents } })

const stub = { type: "stub", name: "Stub", provider: "command", enabled: true, command: "stub" }

describe("the choice of a runtime", () => {
  it("takes the compatible one with the fewest reservations, and of equals the first", () => {
    const runtime = (agent: string, state: "supported" | "advisory", enabled = true) => ({
      agent,
      name: agent,
      origin: "registered" as const,
      provider: "gateway" as const,
      enabled,
      isEvidence: true,
      manifest: {
        ...ownRuntime({ adapter: "gateway", model: agent }, notProbed),
        capabilities: [{ id: "x", state }]
      }
    })
    const chosen = (...all: ReadonlyArray<ReturnType<typeof runtime>>) =>
      preview(["x"], all).selectedManifest?.models[0]
    assert.strictEqual(chosen(runtime("a", "advisory"), runtime("b", "supported")), "b")
    assert.strictEqual(chosen(runtime("a", "supported"), runtime("b", "supported")), "a")
    assert.strictEqual(chosen(runtime("a", "supported", false), runtime("b", "advisory")), "b")
    assert.isUndefined(chosen(runtime("a", "supported", false)))
  })
})

describe("the preview of hosts", () => {
  it.scopedLive("names every agent that could run it with its reasons, for readers too", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* previewed([]), {
        requiredCapabilities: [],
        compatible: false,
        selectedManifest: null,
        candidates: []
      })
      const { providerRuntimeManifest } = yield* register("far")
      yield* configure(stub, { ...stub, type: "off", enabled: false })
      const found = yield* previewed(["run.message", "run.stop"], "read-only")
      assert.isTrue(found.compatible)
      assert.deepStrictEqual(found.requiredCapabilities, ["run.message", "run.stop"])
      assert.deepStrictEqual(found.selectedManifest, providerRuntimeManifest)
      assert.deepStrictEqual(
        found.candidates.map(({ agent, compatible, provider }: Record<string, unknown>) => [
          agent,
          provider,
          compatible
        ]),
        [
          ["stub", "command", false],
          ["off", "command", false],
          ["far", "acme", true]
        ]
      )
      const [near, off, far] = found.candidates
      assert.strictEqual(far.manifestDigest, providerRuntimeManifest.digest)
      assert.deepStrictEqual(far.reasons, ["run.message is advisory: It reads between steps"])
      assert.deepStrictEqual(near.reasons, [
        "run.message is unsupported: Standard input ends after the prompt"
      ])
      assert.include(off.reasons, "It is switched off")
      assert.isFalse((yield* previewed(["conversation.fork"])).compatible)
      assert.isFalse((yield* previewed(["phase.network"])).compatible)
      assert.isNull((yield* previewed(["Run.stop"])).selectedManifest)
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("refuses a body that does not say what is required", () =>
    Effect.gen(function* () {
      for (const body of [
        {},
        { requiredRuntimeCapabilities: "run.stop" },
        { requiredRuntimeCapabilities: [1] }
      ]) {
        assert.strictEqual((yield* post("hosts/preview", body)).status, 400)
      }
    }).pipe(Effect.provide(world()))
  )

  it.scopedLive("forgets an agent five minutes after it was heard of, or when it goes", () => {
    const clock = steppedClock()
    return Effect.gen(function* () {
      const offered = Effect.map(previewed(["run.stop"]), ({ candidates }) => candidates.length)
      const { providerRuntimeManifest } = yield* register("far")
      const known = Effect.flatMap(Storage, ({ read }) =>
        read(runtimeWithDigest(providerRuntimeManifest.digest))
      )
      yield* clock.step(Duration.millis(299_999))
      assert.strictEqual(yield* offered, 1)
      assert.strictEqual((yield* known)?.agent, "far")
      yield* clock.step(Duration.millis(1))
      assert.strictEqual(yield* offered, 0)
      assert.isUndefined(yield* known)
      yield* post("register/far/heartbeat", { status: "online" })
      assert.strictEqual(yield* offered, 1)
      yield* post("register/far/heartbeat", { status: "offline" })
      assert.strictEqual(yield* offered, 0)
      yield* post("register/far/heartbeat", {
        status: "idle",
        providerRuntimeManifest: { ...manifest, providerVersion: "2.0.0" }
      })
      assert.strictEqual(yield* offered, 1)
      assert.isUndefined(yield* known, "a manifest that was replaced is nobody's")
    }).pipe(Effect.provide(Layer.provide(world({ heartbeatTimeoutSeconds: 3_600 }), clock.layer)))
  })

  it.scopedLive("takes what a configured gateway agent registered, and no stranger for a managed one", () =>
    Effect.gen(function* () {
      yield* configure({ type: "far", name: "Far", provider: "gateway", enabled: true }, stub)
      const { providerRuntimeManifest } = yield* register("far")
      yield* register("stub")
      const { read } = yield* Storage
      const far = yield* read(runtimeOf("far"))
      assert.deepInclude(far, { origin: "configured", provider: "gateway" })
      assert.strictEqual(far?.manifest.digest, providerRuntimeManifest.digest)
      const near = yield* read(runtimeOf("stub"))
      assert.deepInclude(near?.manifest, { provider: "command", adapter: "command" })
      assert.isUndefined(yield* read(runtimeOf("nobody")))
      const support = yield* ask("GET", "/api/config/agent-support", { as: "read-only" })
      const digests = Object.fromEntries(
        support.map(({ manifestDigest, type }: Record<string, string>) => [type, manifestDigest])
      )
      assert.strictEqual(digests["far"], providerRuntimeManifest.digest)
      assert.strictEqual(digests["stub"], near?.manifest.digest)
      assert.isNull(digests["codex"])
    }).pipe(Effect.provide(world()))
  )
})

/** A world in which codex is a script that notes each time it is asked. */
const withProgram = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const bin = join(directory, "bin")
  const trace = join(directory, "trace")
  mkdirSync(bin)
  let written = 0
  const program = (script: string) => {
    // A file of another size is another program: the clock of files is too coarse for two writes at once.
    const note = `#!/bin/sh\n# ${"x".repeat(++written)}\necho asked >> ${trace}\n`
    writeFileSync(join(bin, "codex"), `${note}${script}\n`, { mode: 0o755 })
  }
  const asked = () => (existsSync(trace) ? readFileSync(trace, "utf8").split("\n").length - 1 : 0)
  const layer = Layer.provide(
    world(),
    Layer.setConfigProvider(
      ConfigProvider.fromMap(
        new Map([
          ["PATH", `${bin}:/usr/bin:/bin`],
          ["HOME", directory]
        ])
      )
    )
  )
  return { program, asked, layer, remove: () => rmSync(join(bin, "codex")) }
})

const codex = { type: "codex", name: "Codex", provider: "app-server", enabled: true, command: "codex" }

/** What a launch would bind to an attempt. */
const bound = Effect.flatMap(RuntimeManifests, (manifests) =>
  Effect.map(manifests.of("codex"), (runtime) => {
    assert.isDefined(runtime)
    return runtime.manifest
  })
)

describe("the evidence of a configured agent", () => {
  it.scopedLive("is asked for once, again when the program changes, and its revision rises with it", () =>
    Effect.gen(function* () {
      const { asked, layer, program } = yield* withProgram
      program("echo 'codex-cli 1.2.3 (build 77)'")
      yield* Effect.gen(function* () {
        yield* configure(codex)
        assert.deepInclude((yield* previewed([], "agent")).candidates[0], { agent: "codex" })
        assert.strictEqual(asked(), 0, "whoever only reads has nothing asked")
        const first = yield* bound
        assert.deepInclude(first, { providerVersion: "1.2.3", probeRevision: 1 })
        assert.deepInclude(first.probe, {
          state: "passed",
          source: "version-flag",
          diagnostics: ["build 77"]
        })
        assert.strictEqual((yield* bound).digest, first.digest)
        assert.strictEqual(asked(), 1)
        const seen = yield* previewed([], "read-only")
        assert.strictEqual(seen.candidates[0].manifestDigest, first.digest)
        const support = yield* ask("GET", "/api/config/agent-support", { as: "read-only" })
        assert.strictEqual(support[0].manifestDigest, first.digest)

        program("echo 'codex-cli 1.2.3 (build 78)'")
        const rebuilt = yield* bound
        assert.deepInclude(rebuilt, { providerVersion: "1.2.3", probeRevision: 2 })
        assert.notStrictEqual(rebuilt.digest, first.digest)

        program("echo 'codex-cli 1.3.0 (build 78)'")
        assert.deepInclude(yield* bound, { providerVersion: "1.3.0", probeRevision: 3 })
        program("# rewritten\necho 'codex-cli 1.3.0 (build 78)'")
        assert.deepInclude(yield* bound, { probeRevision: 3 })
        assert.strictEqual(asked(), 4)
      }).pipe(Effect.provide(layer), Effect.scoped)
    })
  )

  it.scopedLive("is none after a probe that failed or brought no version, so the next one asks again", () =>
    Effect.gen(function* () {
      const { asked, layer, program, remove } = yield* withProgram
      program("exit 1")
      yield* Effect.gen(function* () {
        yield* configure(codex)
        const failed = yield* bound
        assert.deepInclude(failed, { providerVersion: null, probeRevision: 1 })
        assert.strictEqual(failed.probe.state, "failed")
        yield* bound
        assert.strictEqual(asked(), 2)
        program("echo hello")
        assert.strictEqual((yield* bound).probe.state, "unknown")
        yield* bound
        assert.strictEqual(asked(), 4)
        program("echo 1.2.3")
        assert.strictEqual((yield* bound).probe.state, "passed")
        yield* bound
        assert.strictEqual(asked(), 5)
        remove()
        const gone = yield* bound
        assert.deepInclude(gone, { providerVersion: null, probeRevision: 4 })
        assert.strictEqual(gone.probe.state, "failed")
      }).pipe(Effect.provide(layer), Effect.scoped)
    })
  )
})
