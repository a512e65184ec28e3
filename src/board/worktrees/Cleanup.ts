import { Schema } from "effect"
import { iso } from "../../kernel/Time.ts"
import { Manifest } from "./Manifest.ts"

/** What stands against the removal of a worktree, in the order in which it is reported. */
const BlockerCode = Schema.Literal(
  "active-attempt",
  "attempt-lease",
  "in-transition",
  "manifest-mismatch",
  "branch-mismatch",
  "unreadable",
  "unfinished",
  "dirty",
  "untracked",
  "nested-repository",
  "unpushed",
  "unmerged",
  "externally-held",
  "locked"
)

/** One of them, and whether an administrator with a reason may go past it (spec 1-core, Worktrees, rule 3). */
export const Blocker = Schema.Struct({
  code: BlockerCode,
  overridable: Schema.Boolean,
  detail: Schema.String
}).annotations({ identifier: "WorktreeBlocker" })
export type Blocker = typeof Blocker.Type

/** A process that works in the worktree. */
export const Holder = Schema.Struct({ pid: Schema.Int, name: Schema.String }).annotations({
  identifier: "WorktreeHolder"
})
export type Holder = typeof Holder.Type

/** What was found in a worktree. Counts are of files, of ignored entries (a folder counts once) and of commits. */
export const Findings = Schema.Struct({
  present: Schema.Boolean,
  head: Schema.NullOr(Schema.String),
  branch: Schema.NullOr(Schema.String),
  dirty: Schema.Int,
  untracked: Schema.Int,
  ignored: Schema.Int,
  nestedRepositories: Schema.Int,
  unpushed: Schema.Int,
  unmerged: Schema.Int,
  unfinished: Schema.NullOr(Schema.String).annotations({
    description:
      "The operation of git that somebody began in the worktree and has not ended, such as `rebase`"
  }),
  locked: Schema.Boolean,
  holders: Schema.Array(Holder),
  inspectionComplete: Schema.Boolean.annotations({
    description:
      "False when a process that may be inside could not be looked at; removal then needs admin:manage"
  })
}).annotations({ identifier: "WorktreeFindings" })
export type Findings = typeof Findings.Type

/** What a removal would meet. `removable` is true when nothing stands against it. */
export const CleanupPreview = Schema.Struct({
  taskId: Schema.String,
  manifestId: Schema.String,
  removable: Schema.Boolean,
  overridable: Schema.Boolean,
  blockers: Schema.Array(Blocker),
  findings: Findings
}).annotations({ identifier: "CleanupPreview" })
export type CleanupPreview = typeof CleanupPreview.Type

/** A worktree with what its removal would meet. */
export const CleanupCandidate = Schema.Struct({
  taskId: Schema.String,
  manifest: Manifest,
  cleanupPreview: CleanupPreview
}).annotations({ identifier: "CleanupCandidate" })

/**
 * Who works on a task now: its active attempt, and until when (milliseconds since the epoch) the claim of an agent that
 * works elsewhere holds it.
 */
export interface AttemptLease {
  readonly activeAttemptId?: string
  readonly leaseExpiresAt?: number
}

/** What is known of a worktree, from its manifest, git, the runs of its task and the processes of the machine. */
export interface Evidence {
  readonly manifest: Manifest
  readonly findings: Findings
  /** Why what lies at the path is not what the manifest says. */
  readonly mismatch?: string | undefined
  /** How the unfinished operation of git is ended. */
  readonly end?: string | undefined
  /** Why git could not tell. */
  readonly unreadable?: string | undefined
  readonly attempt: AttemptLease
  readonly at: number
}

const many = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`

const never = (code: Blocker["code"], detail: string): Blocker => ({ code, overridable: false, detail })
const unlessForced = (code: Blocker["code"], detail: string): Blocker => ({ code, overridable: true, detail })

/** Everything that stands against a removal. A worktree whose directory is gone holds nothing that could be lost. */
export const blockersOf = (evidence: Evidence): ReadonlyArray<Blocker> => {
  const { at, attempt, end, findings, manifest, mismatch, unreadable } = evidence
  const blockers: Array<Blocker> = []
  const add = (when: boolean, blocker: () => Blocker): void => {
    if (when) blockers.push(blocker())
  }
  const { activeAttemptId, leaseExpiresAt = 0 } = attempt
  add(activeAttemptId !== undefined, () =>
    never("active-attempt", `Attempt ${activeAttemptId} is running: stop it first`)
  )
  add(leaseExpiresAt > at, () =>
    never("attempt-lease", `The task is claimed until ${iso(leaseExpiresAt)}: a claim ends with the work`)
  )
  add(manifest.lifecycleState !== "active", () =>
    never("in-transition", `The worktree is ${manifest.lifecycleState}`)
  )
  if (!findings.present) return blockers
  add(mismatch !== undefined, () => never("manifest-mismatch", mismatch ?? ""))
  add(mismatch === undefined && unreadable === undefined && findings.branch !== manifest.branch, () =>
    never("branch-mismatch", `${findings.branch ?? "No branch"} is checked out, not ${manifest.branch}`)
  )
  add(unreadable !== undefined, () => never("unreadable", `Git can't tell: ${unreadable}`))
  add(findings.unfinished !== null, () =>
    unlessForced("unfinished", `A ${findings.unfinished} was begun in the worktree: end it there with ${end}`)
  )
  add(findings.dirty > 0, () => unlessForced("dirty", `${many(findings.dirty, "changed file")}`))
  add(findings.untracked > 0, () => unlessForced("untracked", many(findings.untracked, "untracked file")))
  add(findings.nestedRepositories > 0, () =>
    unlessForced(
      "nested-repository",
      `${many(findings.nestedRepositories, "repository", "repositories")} inside the worktree`
    )
  )
  add(findings.unpushed > 0, () =>
    unlessForced("unpushed", `${many(findings.unpushed, "commit")} that origin does not have`)
  )
  add(findings.unmerged > 0, () =>
    unlessForced("unmerged", `${many(findings.unmerged, "commit")} that ${manifest.baseBranch} does not have`)
  )
  add(findings.holders.length > 0, () =>
    unlessForced(
      "externally-held",
      `In use by ${findings.holders.map(({ name, pid }) => `${name} (${pid})`).join(", ")}`
    )
  )
  add(findings.locked, () => unlessForced("locked", "The worktree is locked (git worktree lock)"))
  return blockers
}

/** The preview of a removal. */
export const previewOf = (evidence: Evidence): CleanupPreview => {
  const blockers = blockersOf(evidence)
  return {
    taskId: evidence.manifest.taskId,
    manifestId: evidence.manifest.id,
    removable: blockers.length === 0,
    overridable: blockers.every(({ overridable }) => overridable),
    blockers,
    findings: evidence.findings
  }
}
