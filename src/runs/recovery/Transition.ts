import { Data } from "effect"
import type { Recovery, RecoveryState } from "./RunRecovery.ts"

/** What can become of a recovery, each at a moment in milliseconds since the epoch. */
export type Command = Data.TaggedEnum<{
  /** Its time has come. */
  Begin: { readonly at: number }
  /** Its attempt runs, or waits for room. */
  Launch: { readonly at: number; readonly childAttemptId: string }
  /** It can't be launched now, and may be later. */
  Postpone: { readonly at: number; readonly reason: string }
  /** It can't be launched, and never will. */
  Fail: { readonly at: number; readonly reason: string }
  /** Nobody wants it any more. */
  Cancel: { readonly at: number; readonly reason: string }
}>
export const Command = Data.taggedEnum<Command>()

/** How long it waits before it is tried again, and after how long nobody tries any more, in milliseconds. */
const pauseMs = 30_000
const patienceMs = 3_600_000

/** Whether something is still to come of it: all other states are for good. */
export const isPending = ({ state }: Pick<Recovery, "state">): boolean =>
  state === "scheduled" || state === "launching"

/** The recovery after a command; undefined when the command does not fit where it stands, and nothing changes. */
export const decide = (recovery: Recovery, command: Command): Recovery | undefined => {
  const { createdAt, scheduledFor, state } = recovery
  const { at } = command
  const become = (next: RecoveryState, change: Partial<Recovery> = {}): Recovery => ({
    ...recovery,
    ...change,
    state: next,
    updatedAt: at
  })
  switch (command._tag) {
    case "Begin":
      return state === "scheduled" && scheduledFor !== null && scheduledFor <= at
        ? become("launching")
        : undefined
    case "Launch":
      return state === "launching"
        ? become("launched", { childAttemptId: command.childAttemptId })
        : undefined
    case "Postpone": {
      if (state !== "launching") return undefined
      const { reason } = command
      return at - createdAt > patienceMs
        ? become("failed", { reason })
        : become("scheduled", { reason, scheduledFor: at + pauseMs })
    }
    case "Fail":
      return state === "launching" ? become("failed", { reason: command.reason }) : undefined
    case "Cancel":
      return isPending(recovery) ? become("cancelled", { reason: command.reason }) : undefined
  }
}
