import type { LaunchSource } from "../../governance/capacity/AdmissionRequest.ts"
import type { Founder } from "../../identity/Standing.ts"
import type { CompletionStatus } from "../documents/Policies.ts"
import type { AttemptState, AttemptStatus } from "./AttemptStatus.ts"

export type { AttemptState, AttemptStatus } from "./AttemptStatus.ts"

/** The documents that an attempt is bound to, by their digests. One that waits has none yet: they are made when it runs. */
export interface Bindings {
  readonly runtimeManifest: string
  readonly launchManifest: string
  readonly envelope: string
}

/**
 * One try of an agent at a task (spec 3-runs). `agent` is the agent's type or id, `workspace` the directory that it works
 * in, if the service knows one; times are milliseconds since the epoch.
 */
export interface Attempt {
  readonly id: string
  readonly taskId: string
  readonly agent: string
  readonly provider: string
  readonly source: LaunchSource
  readonly state: AttemptState
  /** How it ended, once it did. */
  readonly status: CompletionStatus | null
  readonly parentAttemptId: string | null
  readonly queueId: string | null
  readonly workspace: string | null
  readonly requestedBy: Founder
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly bindings: Bindings | null
}

/** An attempt that runs: it is bound to its documents. */
export interface RunningAttempt extends Attempt {
  readonly state: "running"
  readonly startedAt: number
  readonly bindings: Bindings
}

/** What an attempt shows of where it stands. */
export const statusOf = ({ state, status }: Pick<Attempt, "state" | "status">): AttemptStatus =>
  state === "ended" ? (status ?? "interrupted") : state === "running" ? "running" : "queued"

/** What can happen to an attempt. */
export type AttemptCommand =
  | { readonly _tag: "Dispatch" }
  | { readonly _tag: "Return" }
  | { readonly _tag: "Begin" }
  | { readonly _tag: "End"; readonly status: CompletionStatus }

/** What becomes of an attempt, or that nothing can: the command does not fit where it stands. */
export type AttemptDecision =
  | { readonly _tag: "Becomes"; readonly state: AttemptState; readonly status: CompletionStatus | null }
  | { readonly _tag: "Unfit" }

const unfit: AttemptDecision = { _tag: "Unfit" }

/** The life of an attempt: it waits or runs, it ends once, and nothing moves it after that. */
export const decide = ({ state }: Pick<Attempt, "state">, command: AttemptCommand): AttemptDecision => {
  switch (command._tag) {
    case "Dispatch":
      return state === "queued" ? { _tag: "Becomes", state: "starting", status: null } : unfit
    case "Return":
      return state === "starting" ? { _tag: "Becomes", state: "queued", status: null } : unfit
    case "Begin":
      return state === "starting" ? { _tag: "Becomes", state: "running", status: null } : unfit
    case "End":
      return state === "ended" ? unfit : { _tag: "Becomes", state: "ended", status: command.status }
  }
}
