import type { Limits, SchedulerSettings } from "../../board/settings/AdmissionSettings.ts"
import { type Demand, fits, type LimitingScope, neverFits, share, type Usage, withTaken } from "./Capacity.ts"

/** A launch that waits. `seq` is its place in the order of arrival, `priority` counts from 0, low, to 3, critical. */
export interface Waiting extends Demand {
  readonly seq: number
  readonly priority: number
  readonly enqueuedAt: number
}

/** Whose turn it was: for each workspace the number of its last turn, which grows from claim to claim. */
export type Turns = ReadonlyMap<string, number>

/** What the order depends on besides those who wait; times in milliseconds since the epoch. */
export interface Order {
  readonly at: number
  readonly scheduler: SchedulerSettings
  readonly turns: Turns
}

/** The rank of what is critical: nobody gets beyond it by waiting. */
export const highestRank = 3

/** The priority by which somebody is served: their own, and a step more for each period that they have waited. */
export const rankOf = (
  { enqueuedAt, priority }: Pick<Waiting, "enqueuedAt" | "priority">,
  { at, scheduler }: Omit<Order, "turns">
): number => {
  const periods = Math.floor(Math.max(0, at - enqueuedAt) / scheduler.agePromotionMs)
  return Math.min(highestRank, priority + Math.min(scheduler.maxPromotions, periods))
}

/** Whether somebody has waited for longer than any promotion takes: nobody behind them takes what they wait for. */
const isOverdue = ({ enqueuedAt }: Waiting, { at, scheduler }: Order): boolean =>
  at - enqueuedAt >= scheduler.agePromotionMs * (scheduler.maxPromotions + 1)

/**
 * Those who wait in the order in which they are served: the higher rank first, then by turns of the workspaces, the one
 * that was served longest ago first, then as they came.
 */
export const ordered = <Entry extends Waiting>(
  entries: ReadonlyArray<Entry>,
  order: Order
): ReadonlyArray<Entry> => {
  const rounds = new Map<string, number>()
  return entries
    .toSorted((one, other) => one.seq - other.seq)
    .map((entry) => {
      const rank = rankOf(entry, order)
      const line = `${rank}:${entry.workspaceId}`
      const round = rounds.get(line) ?? 0
      rounds.set(line, round + 1)
      return { entry, rank, round, turn: order.turns.get(entry.workspaceId) ?? 0 }
    })
    .toSorted(
      (one, other) =>
        other.rank - one.rank ||
        one.round - other.round ||
        one.turn - other.turn ||
        one.entry.seq - other.entry.seq
    )
    .map(({ entry }) => entry)
}

/** What becomes of those who wait, as things are. */
export interface Plan<Entry> {
  /** Those who start now, in their order. */
  readonly starting: ReadonlyArray<Entry>
  /** Those who can never start, and the scopes that are too small for them. */
  readonly denied: ReadonlyArray<readonly [Entry, ReadonlyArray<LimitingScope>]>
  /** Those who go on waiting, in their order, and the scopes that they wait for. */
  readonly waiting: ReadonlyArray<readonly [Entry, ReadonlyArray<LimitingScope>]>
}

/**
 * Gives out what is free, in order. Who does not fit is passed over, so that small ones use what a large one can't;
 * once the large one is overdue, nobody behind takes from the scopes that it waits for.
 */
export const plan = <Entry extends Waiting>(
  limits: Limits,
  usage: Usage,
  entries: ReadonlyArray<Entry>,
  order: Order
): Plan<Entry> => {
  const starting: Array<Entry> = []
  const denied: Array<readonly [Entry, ReadonlyArray<LimitingScope>]> = []
  const waiting: Array<readonly [Entry, ReadonlyArray<LimitingScope>]> = []
  const kept: Array<LimitingScope> = []
  let taken = usage
  for (const entry of ordered(entries, order)) {
    const never = neverFits(limits, entry)
    if (never.length > 0) {
      denied.push([entry, never])
      continue
    }
    const limiting = fits(limits, taken, entry)
    if (limiting.length > 0) {
      if (isOverdue(entry, order)) kept.push(...limiting)
      waiting.push([entry, limiting])
    } else if (share(kept, entry)) {
      waiting.push([entry, kept.filter((scope) => share([scope], entry))])
    } else {
      starting.push(entry)
      taken = withTaken(taken, [entry])
    }
  }
  return { starting, denied, waiting }
}
