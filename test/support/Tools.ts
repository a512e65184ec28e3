import { FetchHttpClient } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { Client } from "@modelcontextprotocol/client"
import { InMemoryTransport } from "@modelcontextprotocol/server"
import { ConfigProvider, Effect } from "effect"
import { Installation } from "../../src/client/Connection.ts"
import { makeServer, runner } from "../../src/mcp/Server.ts"
import type { ToolGroup } from "../../src/mcp/Toolset.ts"
import { type As, keys, World } from "./World.ts"

/** What a tool answered. */
export interface Told {
  readonly text: string
  readonly isError: boolean
}

/** The tools of the board, as a client of the protocol uses them. */
export interface Tools {
  readonly client: Client
  readonly call: (name: string, input?: Record<string, unknown>) => Effect.Effect<Told>
}

/** Calls tools through a client that is connected. */
export const toolsOf = (client: Client): Tools => ({
  client,
  call: (name, input = {}) =>
    Effect.map(
      Effect.promise(() => client.callTool({ name, arguments: input })),
      ({ content, isError = false }) => ({
        text: content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("\n"),
        isError
      })
    )
})

/** A client that talks to a tool server in this process, with an environment of its own. */
export const toolsWith = (
  environment: Readonly<Record<string, string>>,
  groups: ReadonlyArray<ToolGroup> = []
) =>
  Effect.gen(function* () {
    const server = makeServer("0.0.0", yield* runner, groups)
    const client = new Client({ name: "test", version: "0.0.0" })
    const [near, far] = InMemoryTransport.createLinkedPair()
    yield* Effect.acquireRelease(
      Effect.promise(() => Promise.all([server.connect(far), client.connect(near)])),
      () => Effect.promise(() => client.close())
    )
    return toolsOf(client)
  }).pipe(
    Effect.provide([NodeContext.layer, FetchHttpClient.layer]),
    Effect.provideService(Installation, "/nowhere"),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment))))
  )

/** The tools of the world of a test; as the agent unless it says otherwise. */
export const toolsAs = (as: As = "agent", groups: ReadonlyArray<ToolGroup> = []) =>
  Effect.flatMap(World, ({ baseUrl, directory }) =>
    toolsWith({ SERVICE_API_URL: baseUrl, SERVICE_API_KEY: keys[as], SERVICE_DATA_DIR: directory }, groups)
  )
