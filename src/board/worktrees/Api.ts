import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import * as Revision from "../../kernel/Revision.ts"
import * as RepoWire from "../repos/Wire.ts"
import { TaskPath } from "../tasks/Api.ts"
import * as TaskWire from "../tasks/Wire.ts"
import { CleanupCandidate, CleanupPreview } from "./Cleanup.ts"
import {
  Adoption,
  CandidateFilter,
  Merged,
  Opened,
  PullRequestDraft,
  PullRequested,
  Rebased,
  RebaseRequest,
  RemovalQuery,
  Removed,
  WorktreeRequest,
  WorktreeStatus
} from "./Requests.ts"
import * as Wire from "./Wire.ts"

/** What may stand against every use of a worktree. */
const Absent = Schema.Union(TaskWire.TaskNotFound, Wire.WorktreeNotFound)

/** What may stand against an operation on a worktree. */
const OperationRefused = Schema.Union(
  Absent,
  TaskWire.TaskFull,
  TaskWire.ClaimTakenOver,
  Revision.RevisionConflictWire,
  Wire.WorktreeBlocked,
  Wire.WorktreeStateConflict,
  Wire.BaseUnavailable,
  Wire.GitRefused
)

/** What may stand against getting a worktree. */
const AllocationRefused = Schema.Union(
  TaskWire.TaskNotFound,
  TaskWire.TaskFull,
  TaskWire.ClaimTakenOver,
  Revision.RevisionConflictWire,
  Wire.WorktreeExists,
  Wire.WorktreeRequestInvalid,
  Wire.BaseUnavailable,
  Wire.GitRefused,
  RepoWire.RepoUnusable
)

export const WorktreesApi = HttpApiGroup.make("worktrees")
  .add(
    HttpApiEndpoint.get("candidates", "/tasks/worktrees/cleanup-preview")
      .setUrlParams(CandidateFilter)
      .addSuccess(Schema.Array(CleanupCandidate))
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The worktrees whose ownership lease is over, longest over first, each with what its removal would meet. A lease lasts 7 days from the last operation on the worktree. Nothing is ever removed by itself."
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/tasks/:id/worktree")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(WorktreeRequest)
      .addSuccess(created(WorktreeStatus))
      .addError(AllocationRefused)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Makes a worktree for a task from `git.repo` (required, a name of `/config/repos`), `git.branch` (`muster/<task id>` when absent) and `git.baseBranch` (the repository's default branch when absent). The base is fetched from `origin` and resolved to a commit first. When that fails it is a 409, unless `allowStaleBase` is true and `staleBaseAcknowledgement.reason` says why the last known commit will do. A branch that exists is continued: none of its commits is lost. The path is made by the server and written to the task's `git.worktreePath`, which raises its revision. A second worktree is a 409. The repository's configuration is not obeyed, by this and every other call of git: hooks, filters, helpers, aliases and proxies that it names are not used, so files of Git LFS stay pointers. `If-Match` or `X-Resource-Revision` makes it conditional on the revision of the task."
      )
  )
  .add(
    HttpApiEndpoint.post("adopt", "/tasks/:id/worktree/adopt")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(Adoption)
      .addSuccess(created(WorktreeStatus))
      .addError(AllocationRefused)
      .addError(Wire.WorktreeNotAdoptable)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Takes over a worktree that was made by hand: `path` and `branch` exactly as `git worktree list` of the task's repository tells them. Its Git directory and its origin must be the repository's, no other task may have it, and the base, fetched now, must be contained in it. The base source is then `legacy-adopted`. Nothing in it is changed. `If-Match` or `X-Resource-Revision` makes it conditional on the revision of the task."
      )
  )
  .add(
    HttpApiEndpoint.get("status", "/tasks/:id/worktree")
      .setPath(TaskPath)
      .addSuccess(WorktreeStatus)
      .addError(Absent)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The manifest of the task's worktree and what its removal would meet; of a task that has none any more, the manifest of the last one with its removal. `ahead` and `behind` are counted now, against the base as last fetched."
      )
  )
  .add(
    HttpApiEndpoint.get("preview", "/tasks/:id/worktree/cleanup-preview")
      .setPath(TaskPath)
      .addSuccess(CleanupPreview)
      .addError(Absent)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "What a removal would meet now, without doing anything. `active-attempt`, `attempt-lease`, `in-transition`, `manifest-mismatch`, `branch-mismatch` and `unreadable` can't be overridden; `dirty`, `untracked`, `unfinished` (a rebase, a merge or the like that somebody began), `nested-repository`, `unpushed`, `unmerged`, `externally-held` and `locked` can. Ignored files are counted and stand against nothing: they are kept for a while after the removal. A worktree whose directory is gone meets nothing. Stashes and branches belong to the repository and stay."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/tasks/:id/worktree")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setUrlParams(RemovalQuery)
      .addSuccess(Removed)
      .addError(Absent)
      .addError(TaskWire.TaskFull)
      .addError(TaskWire.ClaimTakenOver)
      .addError(Revision.RevisionConflictWire)
      .addError(Wire.WorktreeBlocked)
      .addError(Wire.WorktreeRequestInvalid)
      .addError(Wire.GitRefused)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Removes the worktree when its cleanup preview has no blockers; otherwise it is a 409 with them in `details`. `force=true` with a `reason`, which is kept in the manifest, goes past those that can be overridden and needs admin:manage; so does a removal when the processes of the machine can't all be looked at. The answer is 200: `removal.recoverable` names the ref below `refs/muster/trash` and the commit that holds HEAD, the index, changed and untracked files byte for byte, whatever their names, and `removal.trash` the directory in which the files, ignored ones too, are kept for a while (SERVICE_WORKTREE_TRASH_DAYS). What would hold the request up (beyond 32 MiB or 10,000 files, the smallest first) is counted in `removal.pending`: it is moved to `removal.trash` at once, and the same ref gets it before that directory is emptied. The branch stays. `If-Match` or `X-Resource-Revision` makes it conditional on the revision of the task."
      )
  )
  .add(
    HttpApiEndpoint.post("rebase", "/tasks/:id/worktree/rebase")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(RebaseRequest)
      .addSuccess(Rebased)
      .addError(OperationRefused)
      .addError(Wire.WorktreeConflicts)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Fetches the base and rebases the branch onto its commit, or onto `onto`, a commit that the base contains. Changed files that are not committed are a 409. With conflicts the rebase is taken back and the 409 names the files in `details.files`, the commit in `details.onto` and the way on in `details.remedy`: rebase by hand in the worktree onto that commit and resolve them; the next request then finds nothing left to do. An operation of git that somebody began in the worktree is a 409 that says how to end it. A branch that contains the commit already is answered with `rebased: false`. A file name that is no UTF-8 is shown as git quotes it. The list of what the rebase does is made of commit ids: no text of a commit or a configuration stands in it. `If-Match` or `X-Resource-Revision` makes it conditional on the revision of the task."
      )
  )
  .add(
    HttpApiEndpoint.post("merge", "/tasks/:id/worktree/merge")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .addSuccess(Merged)
      .addError(OperationRefused)
      .addError(Wire.WorktreeConflicts)
      .addError(Wire.PushRejected)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Brings the commits of the branch into its base at origin: by fast-forward when that is possible, else by a merge in a detached worktree that is gone afterwards. The push is never forced: one that would lose commits is a 409. The primary checkout is not touched, and the worktree stays. `If-Match` or `X-Resource-Revision` makes it conditional on the revision of the task."
      )
  )
  .add(
    HttpApiEndpoint.post("requestPullRequest", "/tasks/:id/worktree/pull-request")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(PullRequestDraft)
      .addSuccess(created(PullRequested))
      .addError(OperationRefused)
      .addError(Wire.PushRejected)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Pushes the branch to origin, without force, and records in the manifest that a pull request is wanted. It is opened at the code host by a person: `compareUrl` is the page for it where the host is github.com or gitlab.com. `base` may only repeat the base of the manifest; another one is a 409. `If-Match` or `X-Resource-Revision` makes it conditional on the revision of the task."
      )
  )
  .add(
    HttpApiEndpoint.get("open", "/tasks/:id/worktree/open")
      .setPath(TaskPath)
      .addSuccess(Opened)
      .addError(Absent)
      .addError(Wire.OpenUnavailable)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Opens the worktree in the editor that the operator configured (SERVICE_EDITOR_COMMAND), on the machine of the server, for a request from that machine. Otherwise it is a 409. It starts a program, so it needs task:write though it is a GET."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Worktrees")
