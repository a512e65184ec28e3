import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc, ParseResult, Schema } from "effect"
import { digest, isSealed, sealed } from "../../../src/kernel/Digest.ts"
import { issuesOf } from "../../../src/kernel/Issues.ts"
import { guarantees, knownCapabilities, runControls } from "../../../src/runs/manifests/RunControls.ts"
import { type CapabilityState, RuntimeManifestDraft } from "../../../src/runs/manifests/RuntimeManifest.ts"
import { selectRuntime, usableAs } from "../../../src/runs/manifests/SelectRuntime.ts"
import { notProbed, ownRuntime, unknownRuntime } from "../../../src/runs/manifests/SynthesizeManifest.ts"
import { manifest } from "./Manifest.ts"

const read = Schema.decodeUnknownEither(RuntimeManifestDraft)

/** Where a manifest is at fault; nowhere when it is taken. */
const faults = (value: unknown): ReadonlyArray<string> =>
  Either.match(read(value), {
    onLeft: (error) => issuesOf(ParseResult.ArrayFormatter.formatErrorSync(error)).map(({ path }) => path),
    onRight: () => []
  })

const digestFor = (value: unknown): string => Either.getOrThrow(read(value)).digest

const without = (name: keyof typeof manifest) => {
  const { [name]: _, ...rest } = manifest
  return rest
}

describe("a runtime manifest", () => {
  it("gets the digest that everybody can compute, whatever the order of its members", () => {
    const given = digestFor(manifest)
    assert.match(given, /^sha256:[0-9a-f]{64}$/)
    assert.strictEqual(given, digest(manifest))
    const turned = Object.fromEntries(Object.entries(manifest).toReversed())
    assert.strictEqual(digestFor(turned), given)
    assert.strictEqual(digestFor({ ...manifest, digest: given }), given)
    assert.strictEqual(digestFor({ ...manifest, digest: null }), given)
    assert.notStrictEqual(digestFor({ ...manifest, providerVersion: "1.2.4" }), given)
  })

  it("keeps every text as it was sent, blanks and all", () => {
    const spaced = { ...manifest, providerVersion: " 1.2.3 ", models: ["m ", ""] }
    const { digest: given, ...kept } = Either.getOrThrow(read(spaced))
    assert.deepStrictEqual(kept, spaced)
    assert.strictEqual(given, digest(spaced))
  })

  it("is refused with a digest that is another's", () => {
    for (const wrong of [`sha256:${"0".repeat(64)}`, "", "sha256:", digest(without("models"))]) {
      assert.deepStrictEqual(faults({ ...manifest, digest: wrong }), ["digest"])
    }
  })

  it("is strict at every depth", () => {
    const [capability] = manifest.capabilities
    const wrong: ReadonlyArray<readonly [unknown, string]> = [
      [without("schemaVersion"), "schemaVersion"],
      [without("provider"), "provider"],
      [without("adapter"), "adapter"],
      [without("protocolVersion"), "protocolVersion"],
      [without("models"), "models"],
      [without("probe"), "probe"],
      [{ ...manifest, schemaVersion: "provider-runtime-manifest/v2" }, "schemaVersion"],
      [{ ...manifest, probeRevision: "1" }, "probeRevision"],
      [{ ...manifest, probeRevision: 1.5 }, "probeRevision"],
      [{ ...manifest, probeRevision: -1 }, "probeRevision"],
      [{ ...manifest, provider: " " }, "provider"],
      [{ ...manifest, models: "m1" }, "models"],
      [{ ...manifest, apiKey: "k" }, "apiKey"],
      [{ ...manifest, capabilities: [{ ...capability, state: "maybe" }] }, "capabilities.0.state"],
      [{ ...manifest, capabilities: [{ ...capability, note: "x" }] }, "capabilities.0.note"],
      [{ ...manifest, capabilities: [capability, capability] }, "capabilities.1.id"],
      [{ ...manifest, probe: { ...manifest.probe, token: "t" } }, "probe.token"],
      [{ ...manifest, probe: { ...manifest.probe, state: "green" } }, "probe.state"],
      [{ ...manifest, probe: { ...manifest.probe, probedAt: "yesterday" } }, "probe.probedAt"],
      [{ ...manifest, probe: { ...manifest.probe, diagnostics: "fine" } }, "probe.diagnostics"],
      [{ ...manifest, provider: "a\ud800" }, "provider"],
      [{ ...manifest, adapter: "a\0" }, "adapter"],
      [{ ...manifest, provider: "p".repeat(201) }, "provider"]
    ]
    for (const [value, path] of wrong) assert.include(faults(value), path)
  })

  it("is refused with a secret in it, by its place and without a word of it", () => {
    const secret = `sk-ant-api03-${"aB3".repeat(30)}`
    const [capability] = manifest.capabilities
    const wrong: ReadonlyArray<readonly [object, string]> = [
      [{ probe: { ...manifest.probe, diagnostics: ["fine", `token=${secret}`] } }, "probe.diagnostics.1"],
      [{ probe: { ...manifest.probe, diagnostics: ["--password", "hunter2"] } }, "probe.diagnostics.1"],
      [{ probe: { ...manifest.probe, source: secret } }, "probe.source"],
      [{ models: ["m1", secret] }, "models.1"],
      [{ capabilities: [{ ...capability, reason: `Bearer ${secret}` }] }, "capabilities.0.reason"],
      [{ providerVersion: secret }, "providerVersion"]
    ]
    for (const [change, path] of wrong) {
      const value = { ...manifest, ...change }
      assert.deepStrictEqual(faults(value), [path])
      const told = Either.getOrThrow(Either.flip(read(value)))
      const issues = issuesOf(ParseResult.ArrayFormatter.formatErrorSync(told))
      assert.notInclude(JSON.stringify(issues), secret.slice(0, 20))
    }
  })

  it("has an end: what is larger than 64 KiB as JSON is refused", () => {
    const models = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(200, "m"))
    const capabilities = Array.from({ length: 200 }, (_, index) => ({
      id: `c${index}`,
      state: "supported",
      reason: "r".repeat(200)
    }))
    assert.lengthOf(faults({ ...manifest, models, capabilities }), 1)
  })
})

describe("a value with its digest", () => {
  it("is sealed by all of it but the digest, and broken by any change", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (content, other) => {
        const { digest: _, ...bare } = content
        if (!JSON.stringify(bare).isWellFormed()) return
        const whole = sealed(bare)
        assert.isTrue(isSealed(whole))
        assert.deepStrictEqual(sealed({ ...bare, digest: other }), whole)
        assert.isFalse(isSealed({ ...whole, digest: `${whole.digest}0` }))
        assert.isFalse(isSealed(Object.assign({ ...whole }, { "a new member": other })))
      })
    )
  })
})

describe("what is required of a runtime", () => {
  const state = fc.constantFrom<CapabilityState>("supported", "advisory", "unsupported", "unknown")

  it("is met by what is supported or advisory, under exactly that id, and every reservation is told", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), state), { selector: ([id]) => id }),
        fc.uniqueArray(fc.string({ minLength: 1 })),
        (known, others) => {
          const capabilities = known.map(([id, state]) => ({ id, state }))
          const states = new Map(known)
          const required = [...known.map(([id]) => id), ...others]
          const { compatible, reasons } = selectRuntime(required, { capabilities })
          const enough = required.every((id) => ["supported", "advisory"].includes(states.get(id) ?? ""))
          assert.strictEqual(compatible, enough)
          const reserved = new Set(required.filter((id) => states.get(id) !== "supported"))
          assert.lengthOf(reasons, reserved.size)
        }
      )
    )
  })

  it("says why, in the manifest's own words", () => {
    const capabilities = [
      { id: "run.stop", state: "supported" as const },
      { id: "run.message", state: "advisory" as const, reason: "It may not listen" },
      { id: "conversation.fork", state: "unsupported" as const, reason: null }
    ]
    assert.deepStrictEqual(
      selectRuntime(["run.stop", "run.message", "conversation.fork", "Run.Stop"], { capabilities }),
      {
        compatible: false,
        reasons: [
          "run.message is advisory: It may not listen",
          "conversation.fork is unsupported",
          "Run.Stop is unknown: the manifest does not name it"
        ]
      }
    )
    assert.deepStrictEqual(selectRuntime([], { capabilities }), { compatible: true, reasons: [] })
  })
})

describe("the manifest of an agent that brought none", () => {
  const stateIn = (made: { capabilities: ReadonlyArray<{ id: string; state: string }> }, id: string) =>
    made.capabilities.find((capability) => capability.id === id)?.state

  it("knows nothing of an agent that works elsewhere, and is the same every time", () => {
    const facts = { provider: "acme", adapter: "gateway", model: "m1", version: "1.0" } as const
    const made = unknownRuntime(facts)
    assert.isTrue(isSealed(made))
    assert.deepStrictEqual(faults(made), [])
    assert.deepStrictEqual(
      made.capabilities.map(({ id, state }) => [id, state]),
      knownCapabilities.map((id) => [id, "unknown"])
    )
    assert.deepInclude(made, { provider: "acme", providerVersion: "1.0", models: ["m1"], probeRevision: 0 })
    assert.deepInclude(made.probe, { state: "unknown", probedAt: null })
    assert.strictEqual(unknownRuntime(facts).digest, made.digest)
  })

  it("says of the service's own agents what their adapter guarantees, and leaves the rest unknown", () => {
    const command = ownRuntime({ adapter: "command" }, notProbed)
    assert.strictEqual(stateIn(command, "run.stop"), "supported")
    assert.strictEqual(stateIn(command, "run.message"), "unsupported")
    assert.strictEqual(stateIn(command, "conversation.rewind"), "unsupported")
    assert.strictEqual(stateIn(command, "phase.network"), "unknown")
    const gateway = ownRuntime({ adapter: "gateway" }, notProbed)
    assert.strictEqual(stateIn(gateway, "run.stop"), "supported")
    assert.strictEqual(stateIn(gateway, "run.message"), "advisory")
    assert.strictEqual(stateIn(gateway, "conversation.fork"), "unsupported")
    const conversing = ownRuntime({ adapter: "app-server" }, notProbed)
    assert.strictEqual(stateIn(conversing, "conversation.fork"), "unknown")
    for (const made of [command, gateway, conversing]) assert.deepStrictEqual(faults(made), [])
  })

  it("changes with the version and the build that a probe found", () => {
    const found = {
      state: "passed",
      revision: 1,
      version: "1.2.3",
      build: "abc",
      probedAt: "2026-11-22T10:00:00.000Z"
    } as const
    const made = (probe: Parameters<typeof ownRuntime>[1]) => ownRuntime({ adapter: "acp" }, probe)
    assert.deepInclude(made(found), { providerVersion: "1.2.3", probeRevision: 1 })
    const digests = [notProbed, found, { ...found, version: "1.2.4" }, { ...found, build: "abd" }].map(
      (probe) => made(probe).digest
    )
    assert.strictEqual(new Set(digests).size, 4)
  })

  it("lists a capability for every control, each once", () => {
    assert.lengthOf(runControls, 11)
    assert.strictEqual(new Set(knownCapabilities).size, knownCapabilities.length)
    for (const sure of Object.values(guarantees))
      assert.includeMembers([...knownCapabilities], Object.keys(sure))
  })

  it("leaves a control to the adapter where it does not know, and to nobody else", () => {
    const unknown = unknownRuntime({ provider: "acme", adapter: "gateway" })
    assert.strictEqual(usableAs("run.stop", unknown, "gateway").state, "supported")
    const said = { capabilities: [{ id: "run.stop", state: "unsupported" as const, reason: "It can't" }] }
    assert.deepStrictEqual(usableAs("run.stop", said, "gateway"), {
      state: "unsupported",
      reason: "It can't"
    })
    assert.strictEqual(usableAs("phase.shell", unknown, "gateway").state, "unknown")
  })
})
