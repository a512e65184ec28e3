import { type Ask, given, just, type Scenario } from "./Scenario.ts"

const agents = {
  agents: [
    {
      type: "codex",
      name: "Codex",
      provider: "app-server",
      enabled: true,
      command: "codex",
      args: ["app-server"],
      model: "gpt-5",
      passthroughEnv: ["OPENAI_API_KEY"]
    },
    { type: "elsewhere", name: "Works elsewhere", provider: "gateway", enabled: true }
  ]
}

const someAgents = (ask: Ask) => ask("PUT", "/api/config/agents", { as: "admin", body: agents })

/** The configuration of the board. */
export const config: Readonly<Record<string, Scenario>> = {
  "config.get": given(someAgents, () => ({})),
  "config.agents": given(someAgents, () => ({})),
  "config.putAgents": just({ body: agents }),
  "config.setDefaultAgent": given(someAgents, () => ({ body: { agent: "codex" } })),
  "config.agentSupport": given(someAgents, () => ({}))
}
