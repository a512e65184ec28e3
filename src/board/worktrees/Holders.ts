import { readdir, readFile, readlink, stat } from "node:fs/promises"
import { Context, Effect } from "effect"
import type { Holder } from "./Cleanup.ts"

/** The processes that work below a directory, and whether all that may have been looked at could be. */
export interface Inspection {
  readonly holders: ReadonlyArray<Holder>
  readonly complete: boolean
}

/** More processes than a message can name. */
const holderLimit = 20

const lies =
  (directory: string) =>
  (path: string): boolean =>
    path === directory || path.startsWith(`${directory}/`)

/** The places that a process holds: where it stands, and the files that it has open. */
const placesOf = async (pid: string): Promise<ReadonlyArray<string>> => {
  const at = `/proc/${pid}`
  const descriptors = await readdir(`${at}/fd`)
  const links = await Promise.all(
    [`${at}/cwd`, ...descriptors.map((name) => `${at}/fd/${name}`)].map((link) =>
      readlink(link).catch((error: NodeJS.ErrnoException) => {
        // A file that was closed in the meantime is held no more.
        if (error.code === "ENOENT") return ""
        throw error
      })
    )
  )
  return links
}

const isGone = (error: unknown): boolean => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "ENOENT" || code === "ESRCH"
}

/** The processes that the server descends from: who started it, and who started them. */
const supervisors = async (): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  let pid = String(process.ppid)
  while (pid !== "0" && !found.has(pid)) {
    found.add(pid)
    // After the name, which may hold anything, come the state and the parent.
    const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
    pid = line.slice(line.lastIndexOf(")") + 2).split(" ")[1] ?? "0"
  }
  return found
}

/**
 * Looks at the processes of this machine. Below the service's own directory, which nobody else can enter, the service's
 * user is all that matters; elsewhere every process is, and one that may not be looked at makes the inspection
 * incomplete. The supervisors of the server may be out of its sight: they were there before every worktree.
 */
const inspectNow = async (directory: string, ownUserOnly: boolean): Promise<Inspection> => {
  const holders: Array<Holder> = []
  const isHeld = lies(directory)
  const ownUser = process.getuid?.()
  const above = await supervisors()
  let complete = true
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
  for (const pid of pids) {
    try {
      if (ownUserOnly && (await stat(`/proc/${pid}`)).uid !== ownUser) continue
      if (!(await placesOf(pid)).some(isHeld)) continue
      const name = (await readFile(`/proc/${pid}/comm`, "utf8")).trim()
      if (holders.length < holderLimit) holders.push({ pid: Number(pid), name })
    } catch (error) {
      if (!isGone(error) && !above.has(pid)) complete = false
    }
  }
  return { holders, complete }
}

/** How the processes below a directory are found. Where the machine does not tell, the inspection is incomplete. */
export class ProcessInspection extends Context.Reference<ProcessInspection>()("muster/ProcessInspection", {
  defaultValue: () => ({
    below: (directory: string, ownUserOnly: boolean): Effect.Effect<Inspection> =>
      Effect.promise(() => inspectNow(directory, ownUserOnly).catch(() => ({ holders: [], complete: false })))
  })
}) {}
