import { iso } from "../../kernel/Time.ts"
import type { TimeEntry, TimeTracking } from "./TaskParts.ts"

/** The most entries that a task holds. */
export const entryLimit = 1_000

const withEntries = (entries: ReadonlyArray<TimeEntry>, activeEntryId?: string): TimeTracking => ({
  entries,
  totalMs: entries.reduce((sum, entry) => sum + entry.durationMs, 0),
  isRunning: activeEntryId !== undefined,
  ...(activeEntryId === undefined ? {} : { activeEntryId })
})

/** Starts the timer; a timer that runs goes on running. */
export const start = (time: TimeTracking, id: string, at: number): TimeTracking =>
  time.isRunning
    ? time
    : withEntries([...time.entries, { id, startTime: iso(at), durationMs: 0, manual: false }], id)

/** Stops the timer; one that stands still stays so. A clock that was set back makes no negative time. */
export const stop = (time: TimeTracking, at: number): TimeTracking =>
  withEntries(
    time.entries.map((entry) =>
      entry.id === time.activeEntryId
        ? { ...entry, endTime: iso(at), durationMs: Math.max(0, at - Date.parse(entry.startTime)) }
        : entry
    )
  )

/** Adds time that was spent without the timer, ending now. */
export const add = (
  time: TimeTracking,
  entry: { readonly id: string; readonly durationMs: number; readonly description?: string },
  at: number
): TimeTracking =>
  withEntries(
    [...time.entries, { ...entry, startTime: iso(at - entry.durationMs), endTime: iso(at), manual: true }],
    time.activeEntryId
  )

/** Takes an entry away. */
export const remove = (time: TimeTracking, entryId: string): TimeTracking =>
  withEntries(
    time.entries.filter((entry) => entry.id !== entryId),
    time.activeEntryId
  )
