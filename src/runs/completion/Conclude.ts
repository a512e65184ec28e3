import { isVisible } from "../../kernel/Characters.ts"
import { digest, sealed } from "../../kernel/Digest.ts"
import { iso } from "../../kernel/Time.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import type { Artifact, Claims } from "../documents/Claims.ts"
import type {
  CompletionResult,
  Degradation,
  FoundOutput,
  HarnessEvidence,
  SideEffect,
  TerminalSource
} from "../documents/CompletionResult.ts"
import type { PhaseEvidence } from "../documents/Phase.ts"
import type { CommitPolicy, CompletionStatus } from "../documents/Policies.ts"

/** What the service saw at the end of an attempt. */
export interface Observed {
  readonly harness: HarnessEvidence
  readonly sideEffects: ReadonlyArray<SideEffect>
}

/** The end of an attempt: what it is about, what was claimed, and what was seen. */
export interface Ending {
  readonly attempt: Attempt
  /** Nobody claims anything where an attempt was stopped or its process died. */
  readonly claims: Claims | null
  readonly terminalSource: TerminalSource
  readonly observed: Observed
  readonly commitPolicy: CommitPolicy
  readonly phaseEvidence: PhaseEvidence | null
  /** Why it ended, where nobody claims anything. */
  readonly reason?: string | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** How an attempt ended before it was asked whether a success holds. */
const claimedStatus = ({ claims, observed, terminalSource }: Ending): CompletionStatus => {
  if (terminalSource === "stop" || terminalSource === "cancel" || terminalSource === "restart")
    return "interrupted"
  const { exit } = observed.harness
  const failed = exit !== undefined && exit.code !== 0
  // A success with another exit status than 0 is none; an end without a word is what its exit says (ruling 59).
  if (claims === null) return failed || exit === undefined ? "failed" : "success"
  return claims.status === "success" && failed ? "failed" : claims.status
}

const isEmpty = (value: object | undefined): boolean =>
  value === undefined || (Array.isArray(value) ? value.length : Object.keys(value).length) === 0

/** Whether an artifact says what it is or where: one that says neither is nothing. */
const isNamed = ({ id, name, path, reference }: Artifact): boolean =>
  [id, name, path, reference].some((said) => said !== undefined && isVisible(said))

/**
 * Whether anything but the agent's word stands behind a success. An empty list is nothing (decision 44, ruling 55), and
 * neither a check that did not pass nor an artifact without a name shows that the work is done.
 */
const isShown = ({ claims, observed, terminalSource }: Ending): boolean =>
  (terminalSource === "process" && observed.harness.exit?.code === 0) ||
  terminalSource === "turn" ||
  !isEmpty(claims?.providerEvidence) ||
  claims?.artifacts?.some(isNamed) === true ||
  claims?.verification?.some(({ status }) => status === "passed") === true

const missing = ({ found, required }: FoundOutput): boolean => required && !found

/** Why a success counts as partial (spec 3-runs, States and transitions). */
export const degradationsOf = (ending: Ending): ReadonlyArray<Degradation> => {
  const { commitPolicy, observed } = ending
  const { expectedOutputs, workspace } = observed.harness
  const unauthorized = observed.sideEffects.filter(({ authorized }) => !authorized)
  const moved = workspace !== undefined && workspace.head !== workspace.baselineHead
  const faults: ReadonlyArray<readonly [boolean, string, string]> = [
    [
      !isShown(ending),
      "harness-evidence-absent",
      "Nothing but the summary stands behind it: send providerEvidence, artifacts or verification"
    ],
    [
      workspace?.unreadable !== undefined,
      "workspace-unreadable",
      "The workspace could not be compared with what it was at the start"
    ],
    [
      commitPolicy === "forbidden" && moved,
      "commit-policy-violated",
      "HEAD moved, and commits are forbidden"
    ],
    [
      commitPolicy === "required" && workspace?.baselineHead != null && workspace.commits === 0,
      "commit-policy-violated",
      "There is no new commit, and one is required"
    ],
    [
      expectedOutputs.some(missing),
      "required-output-missing",
      `Not there: ${expectedOutputs
        .filter(missing)
        .map(({ id }) => id)
        .join(", ")}`
    ],
    [
      unauthorized.length > 0,
      "side-effect-unauthorized",
      `Not among the allowed side effects: ${unauthorized
        .slice(0, 5)
        .map(({ kind, scope }) => `${kind} ${scope}`)
        .join(", ")}`
    ]
  ]
  return faults.flatMap(([holds, code, message]) => (holds ? [{ code, message }] : []))
}

/** The key of a claim: whoever sends the same again, in whatever order of keys, means the same end (ruling 82). */
export const claimKey = (claims: Claims): string => digest(claims)

/** How many paths of touched files a result names. */
const fileLimit = 500

const filesOf = (
  claimed: ReadonlyArray<string>,
  observed: ReadonlyArray<string>
): CompletionResult["files"] => {
  const [said, seen] = [new Set(claimed), new Set(observed)]
  return [...new Set([...seen, ...said])]
    .slice(0, fileLimit)
    .map((path) => ({ path, claimed: said.has(path), observed: seen.has(path) }))
}

/** The one result of an attempt. Claims and what was seen stand apart; a success that lacks something is partial. */
export const conclude = (ending: Ending): CompletionResult => {
  const { attempt, at, claims, observed, phaseEvidence, terminalSource } = ending
  const claimed = claimedStatus(ending)
  const degradations = claimed === "success" ? degradationsOf(ending) : []
  const result: Omit<CompletionResult, "digest"> = {
    schemaVersion: "completion-result/v1",
    idempotencyKey: claims === null ? digest({ attemptId: attempt.id, terminalSource }) : claimKey(claims),
    taskId: attempt.taskId,
    attemptId: attempt.id,
    status: degradations.length > 0 ? "partial" : claimed,
    summary: claims?.summary ?? ending.reason ?? null,
    completedAt: iso(at),
    terminalSource,
    bindings: {
      providerRuntimeManifestDigest: attempt.bindings?.runtimeManifest ?? null,
      runLaunchManifestDigest: attempt.bindings?.launchManifest ?? null,
      taskEnvelopeDigest: attempt.bindings?.envelope ?? null
    },
    claims,
    harnessEvidence: observed.harness,
    files: filesOf(claims?.files ?? [], observed.harness.workspace?.files ?? []),
    artifacts: claims?.artifacts ?? [],
    verification: claims?.verification ?? [],
    sideEffects: observed.sideEffects,
    continuation: claims?.continuation ?? null,
    phaseEvidence,
    degradations
  }
  return sealed(result)
}
