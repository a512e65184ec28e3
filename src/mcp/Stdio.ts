import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import { Effect } from "effect"
import { oneLine } from "../kernel/Foreign.ts"
import * as RedactedLogger from "../kernel/RedactedLogger.ts"
import { redactText } from "../kernel/Redaction.ts"
import { makeServer, runner } from "./Server.ts"
import type { ToolGroup } from "./Toolset.ts"

/** The longest message that is read, in bytes: the largest checkpoint with every character escaped, and a margin. */
const maxBufferSize = 8 * 1_024 * 1_024

/**
 * Serves the tools on stdin and stdout until stdin ends. Stdout carries the protocol alone; the log goes to stderr. It
 * starts without the board, so its tools are listed even while the board is down.
 */
export const serve = (version: string, groups: ReadonlyArray<ToolGroup>) =>
  Effect.gen(function* () {
    const run = yield* runner
    yield* Effect.async<void>((resume) => {
      const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize })
      const handle = serveStdio(() => makeServer(version, run, groups), {
        transport,
        // A parser quotes what it can't read, so its secrets are taken out.
        onerror: ({ message }) =>
          process.stderr.write(`muster mcp: ${oneLine(redactText(message)).slice(0, 300)}\n`)
      })
      const closed = transport.onclose
      transport.onclose = () => {
        closed?.()
        resume(Effect.void)
      }
      return Effect.promise(() => handle.close())
    })
  }).pipe(Effect.provide(RedactedLogger.pretty))
