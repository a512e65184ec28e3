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

/** A configuration: the file that it belongs in, its content, and notes, a line each. */
export interface Configuration {
  readonly file: string
  readonly content: unknown
  readonly notes: ReadonlyArray<string>
}

const keyId = "muster-key"

/** A value that the program looks up when it starts the server. */
const lookUp = (what: string): string => `\${${what}}`

/** How each program refers to SERVICE_API_KEY of the environment, so that no key gets into a file that is committed. */
const keys: Readonly<Record<ClientName, string>> = {
  // It rejects a file that names an unset variable without a default.
  "claude-code": lookUp("SERVICE_API_KEY:-"),
  cursor: lookUp("env:SERVICE_API_KEY"),
  vscode: lookUp(`input:${keyId}`)
}

/**
 * The configuration by which a program reaches the board of this connection, with groups of tools beside those of the
 * board. It holds no key.
 */
export const configurationFor = (
  client: ClientName,
  { dataDirectory, keySource, url }: Connection,
  installed: Installed,
  groups: ReadonlyArray<string> = []
): Configuration => {
  const env = {
    SERVICE_API_URL: url,
    SERVICE_API_KEY: keys[client],
    // Programs start the tool server in any directory; with an empty key it finds the key of this machine by this one.
    ...(keySource._tag === "File" ? { SERVICE_DATA_DIR: dataDirectory } : {})
  }
  const args = [
    join(installed.directory, "dist", "cli", "main.js"),
    "mcp",
    ...groups.flatMap((group) => ["--tools", group])
  ]
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
            .join(
              " "
            )} --transport stdio muster -- '${installed.node}' '${args[0]}' ${args.slice(1).join(" ")}`
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
