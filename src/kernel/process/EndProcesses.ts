import { Duration, Effect } from "effect"
import { isSame, type ProcessIdentity } from "./Identity.ts"
import { type ProcessView, type Seen, view } from "./ProcessView.ts"

/** What is to end: a process, its group, and what it started. */
export interface Lineage {
  /** The process that was started, the leader of its group. */
  readonly leader: ProcessIdentity
  /** A variable that everything which it started was given, `NAME=value`; nothing else on the machine has it. */
  readonly mark: string
}

/** The server itself and those who started it: whatever else is true of them, they are never ended from here. */
const ancestors = (all: ReadonlyMap<number, Seen>): ReadonlySet<number> => {
  const found = new Set<number>()
  let pid: number | undefined = process.pid
  while (pid !== undefined && pid > 0 && !found.has(pid)) {
    found.add(pid)
    pid = all.get(pid)?.parent
  }
  return found.add(1)
}

/**
 * Which of the processes belong to a lineage: its leader, if it is still the same; who carries the mark; and whoever
 * started from those, or stands in a group of theirs. A group is theirs when its leader is, or when its leader is gone
 * and a marked process is still in it: it was never empty, so its number was never given again. A process under the
 * recorded number that started at another time is a stranger, and so is its group.
 */
export const belonging = (
  { leader }: Lineage,
  seen: ReadonlyArray<Seen>,
  marked: ReadonlySet<number>,
  known: ReadonlyMap<number, string>,
  bootId: string | null = view.bootId
): ReadonlyArray<Seen> => {
  const all = new Map(seen.map((process) => [process.pid, process]))
  const spared = ancestors(all)
  const ours = new Set<number>()
  for (const process of seen) {
    if (spared.has(process.pid)) continue
    if (
      isSame(leader, process, bootId) ||
      marked.has(process.pid) ||
      known.get(process.pid) === process.startTime
    )
      ours.add(process.pid)
  }
  for (let before = -1; before < ours.size; ) {
    before = ours.size
    const groups = new Set<number>()
    for (const pid of ours) {
      const group = all.get(pid)?.group ?? 0
      if (ours.has(group) || !all.has(group)) groups.add(group)
    }
    for (const { group, parent, pid } of seen) {
      if (!spared.has(pid) && (ours.has(parent) || groups.has(group))) ours.add(pid)
    }
  }
  return seen.filter(({ pid, runs }) => runs && ours.has(pid))
}

/** Those of a lineage that run now. */
const look = async (
  lineage: Lineage,
  known: ReadonlyMap<number, string>,
  by: ProcessView
): Promise<ReadonlyArray<Seen>> => {
  const seen = await by.all()
  const marked = new Set<number>()
  // A variable without a value tells nobody from anybody.
  const tells = !lineage.mark.endsWith("=")
  await Promise.all(
    seen.map(async (process) => {
      // Nothing that was there before the leader can come from it.
      if (tells && process.runs && by.isOlder(process, lineage.leader.startTime) !== true) {
        if (await by.carries(process.pid, lineage.mark)) marked.add(process.pid)
      }
    })
  )
  return belonging(lineage, seen, marked, known, by.bootId)
}

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // It is gone already, or has become another user's and is out of reach.
  }
}

/** How long is waited before processes are looked at again: a moment at first, later less often. */
const pauseBefore = (round: number): number => Math.min(5 * 2 ** round, 200)

/** What can't be killed for so long is held by the system: a disk that does not answer. Nobody waits for that. */
const patience = Duration.seconds(5)

/** Does something again and again until it says that it is done, or for so long. Only time awake counts. */
const within = (duration: Duration.DurationInput, step: Effect.Effect<boolean>): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    let left = Duration.toMillis(duration)
    for (let round = 0; left > 0; round++) {
      const pause = Math.min(pauseBefore(round), left)
      yield* Effect.sleep(pause)
      left -= pause
      if (yield* step) return true
    }
    return false
  })

/**
 * Ends a lineage: asks all of it to end, gives it so long, and kills what is left until nothing is. A process that is
 * stopped is woken to hear the request. Gives those that can't be ended, which is nobody unless the system itself holds
 * them or they run as another user.
 */
export const endProcesses = (
  lineage: Lineage,
  grace: Duration.DurationInput,
  by: ProcessView = view
): Effect.Effect<ReadonlyArray<Seen>> =>
  Effect.gen(function* () {
    const known = new Map<number, string>()
    const signal = (...signals: ReadonlyArray<NodeJS.Signals>) =>
      Effect.map(
        Effect.promise(() => look(lineage, known, by)),
        (found) => {
          for (const { pid, startTime } of found) known.set(pid, startTime)
          for (const { pid } of found) for (const one of signals) send(pid, one)
          return found
        }
      )
    /** Whether all that were seen are gone: cheaper than to look at everybody. */
    const areGone = Effect.promise(async () => {
      const seen = await Promise.all([...known.keys()].map((pid) => by.one(pid)))
      return seen.every((one) => one === undefined || !one.runs || known.get(one.pid) !== one.startTime)
    })
    if (Duration.greaterThan(grace, Duration.zero)) {
      const asked = yield* signal("SIGTERM", "SIGCONT")
      if (asked.length > 0) yield* within(grace, areGone)
    }
    let left = yield* signal("SIGKILL")
    if (left.length === 0) return left
    yield* within(
      patience,
      Effect.map(signal("SIGKILL"), (found) => {
        left = found
        return found.length === 0
      })
    )
    return left
  }).pipe(Effect.uninterruptible)
