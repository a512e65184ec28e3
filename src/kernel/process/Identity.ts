import { Effect } from "effect"
import { type ProcessView, type Seen, view } from "./ProcessView.ts"

/**
 * Which process, and not only which number: numbers are given again. `startTime` is what the machine says of its start,
 * to be compared and never to be read; `bootId` is null where the machine has no name for its present run.
 */
export interface ProcessIdentity {
  readonly pid: number
  readonly startTime: string
  readonly bootId: string | null
}

/** The start time of a process that was gone before it could be looked at. No process ever has it. */
export const unknownStart = ""

/** The identity of a process that was seen in this run of the machine. */
export const identityOf = ({ pid, startTime }: Seen, { bootId }: ProcessView = view): ProcessIdentity => ({
  pid,
  startTime,
  bootId
})

/** Whether what is seen under a number is the process that was recorded. A number alone never says so. */
export const isSame = (
  recorded: ProcessIdentity,
  seen: Pick<Seen, "pid" | "startTime"> | undefined,
  bootId: string | null = view.bootId
): boolean =>
  seen !== undefined &&
  recorded.startTime !== unknownStart &&
  recorded.bootId === bootId &&
  recorded.pid === seen.pid &&
  recorded.startTime === seen.startTime

/** Whether a recorded process still runs: itself, not another one under its number, and not only its remains. */
export const isAlive = (recorded: ProcessIdentity): Effect.Effect<boolean> =>
  Effect.map(
    Effect.promise(() => view.one(recorded.pid)),
    (seen) => seen?.runs === true && isSame(recorded, seen)
  )
