import { knownByProgram } from "../../../board/agents-config/KnownAgents.ts"
import { claudeCode } from "./ClaudeCode.ts"
import { codex } from "./Codex.ts"
import type { Dialect } from "./Dialect.ts"
import { geminiCli } from "./GeminiCli.ts"
import { openCode } from "./OpenCode.ts"

const dialects: ReadonlyArray<Dialect> = [claudeCode, codex, geminiCli, openCode]

/**
 * The dialect of a program that people know, told by its name without the path; undefined for any other, which speaks as
 * ruling 24 says.
 */
export const dialectOf = (command: string): Dialect | undefined => {
  const known = knownByProgram(command)
  return dialects.find(({ profile }) => profile === known?.profile)
}
