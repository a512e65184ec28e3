import { basename } from "node:path"
import type { AgentProvider } from "./AgentConfig.ts"

/** What is known of an agent that many people use, for those who set it up. */
export interface KnownAgent {
  readonly profile: string
  readonly name: string
  readonly provider: AgentProvider
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Variables of which one lets it in; without them it may still have a login of its own. */
  readonly credentials: ReadonlyArray<string>
  readonly login: string
  readonly install: string
}

/** The agents that work with the board as they are. */
export const knownAgents: ReadonlyArray<KnownAgent> = [
  {
    profile: "claude-code",
    name: "Claude Code",
    provider: "command",
    command: "claude",
    args: ["-p"],
    credentials: ["ANTHROPIC_API_KEY"],
    login: "claude, and then /login",
    install: "npm install -g @anthropic-ai/claude-code"
  },
  {
    profile: "codex",
    name: "Codex",
    provider: "app-server",
    command: "codex",
    args: ["app-server"],
    credentials: ["OPENAI_API_KEY"],
    login: "codex login",
    install: "npm install -g @openai/codex"
  },
  {
    profile: "gemini",
    name: "Gemini CLI",
    provider: "acp",
    command: "gemini",
    args: ["--experimental-acp"],
    credentials: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    login: "gemini, and then /auth",
    install: "npm install -g @google/gemini-cli"
  },
  {
    profile: "opencode",
    name: "opencode",
    provider: "acp",
    command: "opencode",
    args: ["acp"],
    credentials: [],
    login: "opencode auth login",
    install: "npm install -g opencode-ai"
  }
]

/** The agent that a command runs, told by the name of its program without the path. */
export const knownByProgram = (command: string): KnownAgent | undefined => {
  const program = basename(command)
  return knownAgents.find((known) => known.command === program)
}
