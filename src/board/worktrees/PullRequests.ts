import { Effect } from "effect"
import { compareUrl } from "../../kernel/git/Remote.ts"
import * as Repository from "../../kernel/git/Repository.ts"
import { iso, now } from "../../kernel/Time.ts"
import { Storage } from "../../storage/Storage.ts"
import { requireRevision } from "../tasks/Units.ts"
import { active, ready } from "./Active.ts"
import { PushRejected, WorktreeStateConflict } from "./Errors.ts"
import { PullRequestRequested } from "./Events.ts"
import type { Looks } from "./Inspection.ts"
import { leaseFrom, type Manifest } from "./Manifest.ts"
import { change, refusals, type WorktreeWrite } from "./ManifestChange.ts"
import { fetchBase, repositoryOf } from "./Plan.ts"
import type { OperationRefused } from "./Rebase.ts"
import type { PullRequestDraft } from "./Requests.ts"
import { WorktreePlaces } from "./WorktreeSettings.ts"

/**
 * Pushes the branch to origin, without force, and records that a pull request is wanted. The base is the one that the
 * worktree was made from (rule 6).
 */
export const requestPullRequest = (
  taskId: string,
  draft: PullRequestDraft,
  { by, precondition }: WorktreeWrite
): Effect.Effect<Manifest, OperationRefused | PushRejected, Looks> =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { alone } = yield* WorktreePlaces
    const unchanged = requireRevision(taskId, { by, precondition })
    yield* storage.read(unchanged)
    const manifest = yield* active(taskId)
    const refuse = (reason: string) =>
      new WorktreeStateConflict({ taskId, operation: "pull-request", reason })
    if (draft.base !== undefined && draft.base !== manifest.baseBranch) {
      return yield* refuse(
        `The base of this worktree is ${manifest.baseBranch}; a pull request can only repeat it`
      )
    }
    const { head, place } = yield* ready(manifest, "pushed")
    const repository = repositoryOf(manifest)
    const work = Effect.gen(function* () {
      const { commit: base, remote } = yield* fetchBase(
        repository,
        manifest.baseBranch,
        manifest.remoteFingerprint
      )
      if (yield* Repository.isAncestor(place, head, base)) {
        return yield* refuse(`${manifest.baseBranch} at origin has all commits of ${manifest.branch} already`)
      }
      yield* storage.read(unchanged)
      if ((yield* Repository.push(repository, remote, head, manifest.branch)) === "non-fast-forward") {
        const { branch } = manifest
        const remedy = `In the worktree run git pull --no-rebase origin ${branch}, or let somebody who may rewrite the branch push it by hand, then try again.`
        return yield* new PushRejected({ branch, reason: "non-fast-forward", remedy })
      }
      const at = yield* now
      const page =
        remote.path !== undefined ? undefined : compareUrl(remote.url, manifest.baseBranch, manifest.branch)
      const pullRequest = {
        base: manifest.baseBranch,
        branch: manifest.branch,
        commit: head,
        ...(page === undefined ? {} : { compareUrl: page }),
        requestedBy: by.name,
        requestedAt: iso(at)
      }
      const after: Manifest = { ...manifest, pullRequest, lease: leaseFrom(at, by.name) }
      return yield* storage.write(
        change(after, (changed) => new PullRequestRequested({ ...changed, commit: head }), by)
      )
    })
    return yield* alone(manifest.commonDir)(work)
  }).pipe(Effect.catchTags(refusals))
