import { join } from "node:path"
import { Schema } from "effect"
import type { Connection } from "./Connection.ts"

/** The programs that a configuration can be printed for. */
export const ClientName = Schema.Literal("claude-code", "cursor", "vscode")
export type ClientName = typeof ClientName.Type

/** How this program is started on this machine. */
export interface Installed {
  /** The Node that runs it. */
  readonly node: string
  /** The directory of the package. */
  readonly directory: string
}

/** A configuration: where it belongs, what stands there, and what else to know, a line each. */
export interface Configuration {
  readonly file: string
  readonly content: unknown
  readonly notes: ReadonlyArray<string>
}

const keyId = "muster-key"

/** A value that the program looks up when it starts the server. */
const lookUp = (what: string): string => `\${${what}}`

/** How each program writes "the environment's SERVICE_API_KEY", so that no key stands in a file that is committed. */
const keys: Readonly<Record<ClientName, string>> = {
  // It reads no file with a variable that is not set and has no default.
  "claude-code": lookUp("SERVICE_API_KEY:-"),
  cursor: lookUp("env:SERVICE_API_KEY"),
  vscode: lookUp(`input:${keyId}`)
}

/** The configuration of a program for the board of this connection. It holds no key. */
export const configurationFor = (
  client: ClientName,
  { dataDirectory, keySource, url }: Connection,
  installed: Installed
): Configuration => {
  const env = {
    SERVICE_API_URL: url,
    SERVICE_API_KEY: keys[client],
    // Programs start the tool server wherever they like; with an empty key it finds the one of this machine here.
    ...(keySource._tag === "File" ? { SERVICE_DATA_DIR: dataDirectory } : {})
  }
  const args = [join(installed.directory, "dist", "cli", "main.js"), "mcp"]
  const server = { type: "stdio", command: installed.node, args, env }
  const keyNote =
    keySource._tag === "File"
      ? "Set SERVICE_API_KEY to a key of an agent; without it the admin key of this machine is used."
      : "Set SERVICE_API_KEY to a key of an agent before the program starts."
  switch (client) {
    case "claude-code":
      return {
        file: ".mcp.json",
        content: { mcpServers: { muster: server } },
        notes: [
          keyNote,
          `Or, for yourself alone: claude mcp add ${Object.entries(env)
            .map(([name, value]) => `--env '${name}=${name === "SERVICE_API_KEY" ? "YOUR_KEY" : value}'`)
            .join(" ")} --transport stdio muster -- '${installed.node}' '${args[0]}' mcp`
        ]
      }
    case "cursor":
      return { file: ".cursor/mcp.json", content: { mcpServers: { muster: server } }, notes: [keyNote] }
    case "vscode":
      return {
        file: ".vscode/mcp.json",
        content: {
          inputs: [
            { type: "promptString", id: keyId, description: "Muster: API key of an agent", password: true }
          ],
          servers: { muster: server }
        },
        notes: ["VS Code asks for the key once and keeps it."]
      }
  }
}
