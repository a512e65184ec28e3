import { manifest } from "../../runs/manifests/Manifest.ts"
import { given, just, made, type Scenario } from "./Scenario.ts"

/** An agent that registered itself. */
const anAgent = made("/api/agents/register", {
  id: "far-away",
  name: "Far away",
  providerRuntimeManifest: manifest
})

/** The agents that register, and what runs them. */
export const agents: Readonly<Record<string, Scenario>> = {
  "registry.register": just({
    body: {
      id: "far-away",
      name: "Far away",
      model: "m1",
      provider: "acme",
      capabilities: [{ name: "code", description: "Writes code" }],
      version: "1.2.3",
      providerRuntimeManifest: manifest
    }
  }),
  "registry.list": given(anAgent, () => ({})),
  "registry.get": given(anAgent, ({ id }) => ({ path: { id } })),
  "registry.heartbeat": given(anAgent, ({ id }) => ({
    path: { id },
    body: { status: "busy", currentTaskId: "task_5d8v0kq2m1x7c9zr", currentTaskTitle: "Write the docs" }
  })),
  "registry.deregister": given(anAgent, ({ id }) => ({ path: { id } })),
  "hosts.preview": given(anAgent, () => ({
    body: { requiredRuntimeCapabilities: ["run.stop", "run.message"] },
    links: 0
  }))
}
