import type { CeremonyReason, CeremonyType } from "../ceremonies/Ceremony.ts"
import type { Enforcement } from "../settings/Settings.ts"
import type { StoredTask } from "../tasks/Task.ts"

/** How many people and agents make "several". */
export const severalAgents = 2

/** The run mode of work that lives from review. */
export const reviewHeavy = "review-heavy"

/** Who works on a task: its agents and its assignee, each once. */
export const workersOf = ({ agents, assignee }: StoredTask): ReadonlyArray<string> => [
  ...new Set(assignee === undefined ? agents : [...agents, assignee])
]

/** Why a task needs a design review before it is completed; empty when it needs none. */
export const designReviewReasons = (task: StoredTask): ReadonlyArray<CeremonyReason> => [
  ...(workersOf(task).length >= severalAgents ? ["several-agents" as const] : []),
  ...(task.priority === "critical" ? ["critical-priority" as const] : []),
  ...(task.runMode === reviewHeavy || task.attempt?.["runMode"] === reviewHeavy
    ? ["review-heavy" as const]
    : [])
]

/** Why a task needs a look back at what failed before it is completed; empty when it needs none. */
export const retrospectiveReasons = (task: StoredTask): ReadonlyArray<CeremonyReason> => [
  ...(task.statusHistory.some(({ from, to }) => from === "blocked" || to === "blocked")
    ? ["was-blocked" as const]
    : []),
  ...([task.attempt, ...task.attempts].some((attempt) => attempt?.["status"] === "failed")
    ? ["failed-attempts" as const]
    : [])
]

/** A ceremony gate: its setting, the ceremony it asks for, and when it does. */
export interface CeremonyGate {
  readonly gate: keyof Enforcement & ("ceremonyDesignReview" | "ceremonyFailureRetrospective")
  readonly type: CeremonyType
  readonly reasonsOf: (task: StoredTask) => ReadonlyArray<CeremonyReason>
}

/** The ceremony gates in their order. */
export const ceremonyGates: ReadonlyArray<CeremonyGate> = [
  { gate: "ceremonyDesignReview", type: "design-review", reasonsOf: designReviewReasons },
  {
    gate: "ceremonyFailureRetrospective",
    type: "failure-retrospective",
    reasonsOf: retrospectiveReasons
  }
]
