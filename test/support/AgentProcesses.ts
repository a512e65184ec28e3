import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"

/** A process that works for an attempt. */
export interface AgentProcess {
  readonly pid: number
  readonly attemptId: string
}

const quietly = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ""
  }
}

/**
 * Every process that works for an attempt of a board: by the mark that it was given, or by the run directory that it
 * works in, also when it has shed its mark.
 */
export const agentProcesses = (directory: string): ReadonlyArray<AgentProcess> => {
  const runs = join(directory, "runs", "/")
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const environment = `\0${quietly(() => readFileSync(`/proc/${name}/environ`, "latin1"))}`
    const place = quietly(() => readlinkSync(`/proc/${name}/cwd`))
    const marked = environment.includes(`\0MUSTER_RUN_DIR=${runs}`)
      ? /\0MUSTER_ATTEMPT_ID=([^\0]*)/.exec(environment)?.[1]
      : undefined
    const attemptId = marked ?? (place.startsWith(runs) ? place.slice(runs.length).split("/")[0] : undefined)
    return attemptId === undefined ? [] : [{ pid: Number(name), attemptId }]
  })
}

/** Kills whatever still works for a board when a test is over: a test that failed leaves nobody behind. */
export const leaveNobody = (directory: string) =>
  Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const { pid } of agentProcesses(directory)) {
        quietly(() => String(process.kill(pid, "SIGKILL")))
      }
    })
  )
