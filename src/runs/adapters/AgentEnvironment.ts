import { isAbsolute } from "node:path"
import { Redacted } from "effect"
import type { Launch } from "./Adapter.ts"

/** What an agent gets of the server's environment: where programs are, whose home it is, and the language. */
const isUsual = (name: string): boolean => /^(?:PATH|HOME|LANG|LANGUAGE|LC_[A-Z_]+)$/.test(name)

/** What it never gets, whoever names it: the server's own settings, what changes the server's own program. */
const isOwn = (name: string): boolean => /^(?:SERVICE|RELAY|MUSTER)_|^NODE_OPTIONS$/.test(name)

/**
 * The environment of an agent (rulings 24 and 85): the usual variables, those that its configuration names, and what it
 * is to know of its attempt. Nothing else of the server's goes to it.
 */
export const agentEnvironment = (
  server: Readonly<Record<string, string | undefined>>,
  { attemptId, bridge, passthroughEnv, runDirectory, taskId }: Omit<Launch, "prompt">
): Readonly<Record<string, string>> => {
  const named = new Set(passthroughEnv)
  const handedOn = Object.entries(server).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !isOwn(entry[0]) && (isUsual(entry[0]) || named.has(entry[0]))
  )
  return {
    ...Object.fromEntries(handedOn),
    // A relative entry would let files of the repository run as commands.
    PATH: (server["PATH"] ?? "/usr/bin:/bin").split(":").filter(isAbsolute).join(":"),
    MUSTER_TASK_ID: taskId,
    MUSTER_ATTEMPT_ID: attemptId,
    MUSTER_RUN_DIR: runDirectory,
    ...(bridge === undefined
      ? {}
      : { MUSTER_BRIDGE_URL: bridge.url, MUSTER_BRIDGE_HANDLE: Redacted.value(bridge.handle) })
  }
}
