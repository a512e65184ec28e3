/** A manifest as an agent sends it, without its digest. */
export const manifest = {
  schemaVersion: "provider-runtime-manifest/v1",
  probeRevision: 3,
  provider: "acme",
  adapter: "acme-gateway",
  protocolVersion: "1",
  providerVersion: "1.2.3",
  models: ["m1"],
  capabilities: [
    { id: "run.stop", state: "supported", source: "probe", reason: "It ends within a second" },
    { id: "run.message", state: "advisory", source: "docs", reason: "It reads between steps" },
    { id: "conversation.fork", state: "unsupported", source: "probe", reason: "No such call" },
    { id: "phase.network", state: "unknown", source: "none", reason: "Nobody tried" }
  ],
  probe: {
    state: "passed",
    probedAt: "2026-11-22T10:00:00.000Z",
    source: "self-test",
    diagnostics: ["12 checks passed"]
  }
} as const
