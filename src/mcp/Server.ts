import type * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import { type CallToolResult, McpServer } from "@modelcontextprotocol/server"
import { Cause, Effect, Runtime } from "effect"
import { Client } from "../client/Client.ts"
import type { Failure } from "../client/Failure.ts"
import { printable } from "../kernel/Foreign.ts"
import { makeBoard } from "./Board.ts"
import type { Call } from "./Tool.ts"
import { errorText } from "./ToolError.ts"
import { type ToolGroup, toolsWith } from "./Toolset.ts"

/** What a model reads once, before it uses a tool. */
const instructions =
  "A task board that you share with people and other agents. Begin with claim_task, then task_context. While you work: add_observation for what the next one must know, checkpoint before you stop. At the end: add_comment, then move_task to done; when a gate refuses, its answer says what is missing."

/** Runs a call of a tool. It is interrupted when the client cancels it or disconnects. */
export type Run = (tool: string, call: Call, signal: AbortSignal) => Promise<CallToolResult>

/** The server of the board's tools and of some groups beside them, for one client. */
export const makeServer = (version: string, run: Run, groups: ReadonlyArray<ToolGroup> = []): McpServer => {
  const server = new McpServer(
    { name: "muster", title: "Muster", version },
    { capabilities: { tools: { listChanged: false } }, instructions }
  )
  for (const { annotations, description, input, name } of toolsWith(groups)) {
    server.registerTool(name, { description, inputSchema: input, annotations }, (call, { mcpReq }) =>
      run(name, call, mcpReq.signal)
    )
  }
  return server
}

/** Runs calls against the board that the environment names. */
export const runner = Effect.gen(function* () {
  const runtime = yield* Effect.runtime<FileSystem.FileSystem | HttpClient.HttpClient>()
  const board = yield* makeBoard
  const run: Run = (tool, call, signal) =>
    Runtime.runPromise(runtime)(resultOf(tool, Effect.provideServiceEffect(call, Client, board)), { signal })
  return run
})

/**
 * The text of a result. Each tool has already marked foreign text; this removes hidden characters as a last safeguard.
 */
const told = (text: string): CallToolResult => ({ content: [{ type: "text", text: printable(text) }] })

/** The result of a call. A failure is a result too, and says what to do; a defect of this program is logged. */
const resultOf = <R>(
  tool: string,
  call: Effect.Effect<string, Failure, R>
): Effect.Effect<CallToolResult, never, R> =>
  call.pipe(
    Effect.map(told),
    Effect.catchAll((failure) => Effect.succeed({ ...told(errorText(failure)), isError: true })),
    Effect.catchAllCause((cause) =>
      Cause.isInterrupted(cause)
        ? Effect.failCause(cause)
        : Effect.as(Effect.logError(`The tool ${tool} broke`, cause), {
            ...told(`The tool ${tool} broke; the log of the tool server tells why. Other tools may work.`),
            isError: true
          })
    )
  )
