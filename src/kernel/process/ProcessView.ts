import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"

/** A process as the machine shows it. */
export interface Seen {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** To be compared alone; see `ProcessIdentity`. */
  readonly startTime: string
  /** False for what has ended and only waits for its parent to hear of it. */
  readonly runs: boolean
}

/** How this machine lets its processes be seen. */
export interface ProcessView {
  /** The name of the present run of the machine: another one after each start of it. */
  readonly bootId: string | null
  /** Every process that may be seen. */
  readonly all: () => Promise<ReadonlyArray<Seen>>
  readonly one: (pid: number) => Promise<Seen | undefined>
  /** A process as it is at this moment, without letting anything else happen first; undefined where that can't be had. */
  readonly now: (pid: number) => Seen | undefined
  /** Whether a process was started with this variable, `NAME=value`. False where the machine does not tell. */
  readonly carries: (pid: number, mark: string) => Promise<boolean>
  /** Whether one process started before another one; undefined where the machine does not tell. */
  readonly isOlder: (one: Seen, startTime: string) => boolean | undefined
}

/** Reads a line of `/proc/<pid>/stat`. The name stands in brackets and may hold anything, brackets and spaces too. */
export const parseStat = (pid: number, line: string): Seen | undefined => {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ")
  const [state, parent, group] = fields
  const startTime = fields[19]
  if (state === undefined || parent === undefined || group === undefined || startTime === undefined)
    return undefined
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    startTime,
    runs: !/^[ZXx]/.test(state)
  }
}

const readBootId = (): string | null => {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
  } catch {
    return null
  }
}

/** Linux: everything stands in files. */
export const procView = (): ProcessView => {
  const one = async (pid: number): Promise<Seen | undefined> =>
    readFile(`/proc/${pid}/stat`, "utf8").then(
      (line) => parseStat(pid, line),
      () => undefined
    )
  return {
    bootId: readBootId(),
    one,
    all: async () => {
      const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
      const seen = await Promise.all(pids.map((pid) => one(Number(pid))))
      return seen.filter((process) => process !== undefined)
    },
    now: (pid) => {
      try {
        return parseStat(pid, readFileSync(`/proc/${pid}/stat`, "utf8"))
      } catch {
        return undefined
      }
    },
    carries: (pid, mark) =>
      readFile(`/proc/${pid}/environ`, "utf8").then(
        (environment) => `\0${environment}`.includes(`\0${mark}\0`),
        // Another user's process, or one that is gone: neither is what was started here.
        () => false
      ),
    isOlder: (seen, startTime) => Number(seen.startTime) < Number(startTime)
  }
}

const askPs = (args: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve) => {
    execFile(
      "ps",
      [...args],
      { env: { PATH: "/usr/bin:/bin", LC_ALL: "C" }, maxBuffer: 8_388_608, timeout: 5_000 },
      (_, stdout) => resolve(stdout)
    )
  })

const columns = "pid=,ppid=,pgid=,stat=,lstart="

/** Reads the lines that `ps -o pid=,ppid=,pgid=,stat=,lstart=` writes. */
export const parsePs = (text: string): ReadonlyArray<Seen> =>
  text.split("\n").flatMap((line) => {
    const [, pid, parent, group, state = "", startTime = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line) ?? []
    return pid === undefined
      ? []
      : [
          {
            pid: Number(pid),
            parent: Number(parent),
            group: Number(group),
            startTime,
            runs: !state.startsWith("Z")
          }
        ]
  })

/**
 * Any other machine: what `ps` says. Three things are lost. A start time has whole seconds, so that a number which is
 * given again within one of them looks like the same process; the environment of a process can't be read, so that a
 * grandchild that left its group is found only while its parent lives; a process that ends at once has no identity.
 */
export const psView = (): ProcessView => ({
  bootId: null,
  all: async () => parsePs(await askPs(["-A", "-o", columns])),
  one: async (pid) => parsePs(await askPs(["-o", columns, "-p", String(pid)]))[0],
  now: () => undefined,
  carries: () => Promise.resolve(false),
  isOlder: () => undefined
})

/** How the processes of this machine are seen. */
export const view: ProcessView = existsSync("/proc/self/stat") ? procView() : psView()
