import { digestOf } from "../../kernel/Digest.ts"
import { iso } from "../../kernel/Time.ts"
import { concealed, type LimitingScope } from "../capacity/Capacity.ts"
import type { Plan, Waiting } from "../capacity/Schedule.ts"
import { type Eligibility, inspectionWindow, type QueueEntry, type QueueInspection } from "./Entry.ts"
import { priorityOf, type StoredEntry } from "./EntryRepo.ts"

/** Where those stand who wait: their place in the order, and what they wait for. */
export interface Standing {
  readonly position: number
  readonly limiting: ReadonlyArray<LimitingScope>
}

/** Where everybody stands who waits, by their place in the order of arrival. */
export const standings = (
  order: ReadonlyArray<Waiting>,
  { denied, waiting }: Plan<Waiting>
): ReadonlyMap<number, Standing> => {
  const limiting = new Map([...denied, ...waiting].map(([{ seq }, scopes]) => [seq, scopes]))
  return new Map(
    order.map(({ seq }, index): [number, Standing] => [
      seq,
      { position: index + 1, limiting: limiting.get(seq) ?? [] }
    ])
  )
}

/**
 * What a tree is called where it is shown. The tree of a run that nobody else asked for is called by its root task, and
 * root tasks stand in the queue as digests (spec 3-runs, Admission).
 */
const rootShown = ({ rootObjectiveId, rootTaskId }: StoredEntry): string =>
  rootObjectiveId === rootTaskId ? digestOf(rootTaskId) : rootObjectiveId

/** Whether an entry belongs to a tree, by what the tree is called or by what it is shown as. */
export const isOfRoot = (entry: StoredEntry, id: string): boolean =>
  entry.rootObjectiveId === id || rootShown(entry) === id

/** An entry as it is shown at a time. */
export const shown = (entry: StoredEntry, at: number, standing: Standing | undefined): QueueEntry => {
  const { enqueuedAt, endedAt, hostId, id, nodeId, revision, source, state, workspaceId } = entry
  return {
    id,
    state,
    source,
    priority: priorityOf(entry.priority),
    workspaceId,
    rootObjectiveId: rootShown(entry),
    nodeId,
    limitingScopes: concealed(standing?.limiting ?? []),
    enqueuedAt: iso(enqueuedAt),
    ageMs: Math.max(0, (endedAt ?? at) - enqueuedAt),
    revision,
    hostHash: digestOf(hostId),
    rootTaskHash: digestOf(entry.rootTaskId)
  }
}

const eligibilityOf = ({ outcome, state }: StoredEntry, standing: Standing | undefined): Eligibility => {
  switch (state) {
    case "queued":
      return standing === undefined
        ? { eligible: false, reason: "turn", condition: "It is looked at once fewer wait before it." }
        : standing.limiting.length > 0
          ? {
              eligible: false,
              reason: "capacity",
              condition:
                "It may start when its limiting scopes have room for it, unless others come first by then."
            }
          : { eligible: true, reason: "fits", condition: "It may start when it is looked at next." }
    case "leased":
      return {
        eligible: true,
        reason: "starting",
        condition: "It has capacity and is about to be dispatched."
      }
    case "dispatched":
      return { eligible: false, reason: "dispatched", condition: "It has been dispatched." }
    case "terminal":
      return {
        eligible: false,
        reason: "ended",
        condition: "It waits for nothing any more.",
        ...(outcome === null ? {} : { outcome })
      }
  }
}

/** All about one entry. */
export const inspection = (
  entry: StoredEntry,
  at: number,
  waiting: number,
  standing: Standing | undefined
): QueueInspection => ({
  schemaVersion: "admission-queue-inspection/v1",
  entry: shown(entry, at, standing),
  eligibility: eligibilityOf(entry, standing),
  window: {
    limit: inspectionWindow,
    waiting,
    ...(standing === undefined ? {} : { position: standing.position })
  }
})
