import type * as FileSystem from "@effect/platform/FileSystem"
import { Context, Effect, Layer } from "effect"
import { launch, ordinaryEnvironment } from "../../kernel/process/Launch.ts"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { TaskNotFound } from "../tasks/Errors.ts"
import { requireTask } from "../tasks/Units.ts"
import { type AdoptionRefused, adopt } from "./Adoption.ts"
import type { AttemptLeases } from "./AttemptLeases.ts"
import type { CleanupCandidate, CleanupPreview } from "./Cleanup.ts"
import { type CreationRefused, create } from "./Creation.ts"
import { OpenUnavailable, type PushRejected, type WorktreeConflicts, WorktreeNotFound } from "./Errors.ts"
import { type Looks, statusOf } from "./Inspection.ts"
import type { Manifest, PullRequest, Removal } from "./Manifest.ts"
import type { WorktreeWrite } from "./ManifestChange.ts"
import { type MergeOutcome, merge } from "./Merge.ts"
import { requestPullRequest } from "./PullRequests.ts"
import { type OperationRefused, type RebaseOutcome, rebase } from "./Rebase.ts"
import { type RemovalRefused, type RemovalRequest, remove } from "./Removal.ts"
import type {
  Adoption,
  PullRequestDraft,
  RebaseRequest,
  WorktreeRequest,
  WorktreeStatus
} from "./Requests.ts"
import { settleAll } from "./Settlement.ts"
import { startSweeping } from "./Trash.ts"
import * as WorktreeRepo from "./WorktreeRepo.ts"
import { WorktreePlaces } from "./WorktreeSettings.ts"

type Absent = TaskNotFound | WorktreeNotFound

/** The worktrees in which the work on tasks is done. One operation at a time works on the worktree of a task. */
export interface WorktreesService {
  readonly create: (
    taskId: string,
    request: WorktreeRequest,
    write: WorktreeWrite
  ) => Effect.Effect<WorktreeStatus, CreationRefused>
  readonly adopt: (
    taskId: string,
    adoption: Adoption,
    write: WorktreeWrite
  ) => Effect.Effect<WorktreeStatus, AdoptionRefused>
  /** The worktree that the task has, else the last one that it had. */
  readonly status: (taskId: string) => Effect.Effect<WorktreeStatus, Absent>
  readonly preview: (taskId: string) => Effect.Effect<CleanupPreview, Absent>
  /** The worktrees whose lease is over, longest over first. */
  readonly candidates: (limit?: number) => Effect.Effect<ReadonlyArray<typeof CleanupCandidate.Type>>
  readonly remove: (
    taskId: string,
    request: RemovalRequest,
    write: WorktreeWrite
  ) => Effect.Effect<{ readonly manifest: Manifest; readonly removal: Removal }, RemovalRefused>
  readonly rebase: (
    taskId: string,
    request: RebaseRequest,
    write: WorktreeWrite
  ) => Effect.Effect<RebaseOutcome & WorktreeStatus, OperationRefused | WorktreeConflicts>
  readonly merge: (
    taskId: string,
    write: WorktreeWrite
  ) => Effect.Effect<MergeOutcome & WorktreeStatus, OperationRefused | WorktreeConflicts | PushRejected>
  readonly requestPullRequest: (
    taskId: string,
    draft: PullRequestDraft,
    write: WorktreeWrite
  ) => Effect.Effect<
    { readonly manifest: Manifest; readonly pullRequest: typeof PullRequest.Type },
    OperationRefused | PushRejected
  >
  /** Opens the worktree in the operator's editor, for a person at this machine. */
  readonly open: (
    taskId: string,
    request: OpenRequest
  ) => Effect.Effect<{ readonly opened: true; readonly path: string }, Absent | OpenUnavailable>
}

/** Who asks for an editor. */
interface OpenRequest {
  /** True when the request was made on this machine and by nobody's order from elsewhere. */
  readonly atThisMachine: boolean
  /** True for HEAD, which is answered from GET and starts nothing. */
  readonly looksOnly: boolean
}

export class Worktrees extends Context.Tag("muster/Worktrees")<Worktrees, WorktreesService>() {
  static readonly layer = Layer.scoped(
    Worktrees,
    Effect.gen(function* () {
      const storage = yield* Storage
      const places = yield* WorktreePlaces
      const context = yield* Effect.context<Looks | AttemptLeases | FileSystem.FileSystem>()
      yield* settleAll
      yield* startSweeping

      const look = <A, E>(effect: Effect.Effect<A, E, Looks>) => Effect.provide(effect, context)
      // A client that hangs up does not stop git half way: what was begun is brought to its end.
      const work = <A, E>(taskId: string, effect: Effect.Effect<A, E, Looks>) =>
        look(Effect.uninterruptible(places.alone(taskId)(effect)))
      const withStatus = <A extends { readonly manifest: Manifest }>(outcome: A) =>
        Effect.map(statusOf(outcome.manifest), (status) => ({ ...outcome, ...status }))

      return Worktrees.of({
        create: Effect.fn("Worktrees.create")((taskId, request, write) =>
          work(taskId, Effect.flatMap(create(taskId, request, write), statusOf))
        ),
        adopt: Effect.fn("Worktrees.adopt")((taskId, adoption, write) =>
          work(taskId, Effect.flatMap(adopt(taskId, adoption, write), statusOf))
        ),
        status: (taskId) => look(Effect.flatMap(storage.read(requireNewest(taskId)), statusOf)),
        preview: (taskId) =>
          look(
            Effect.map(
              Effect.flatMap(storage.read(requireLive(taskId)), statusOf),
              ({ cleanupPreview }) => cleanupPreview
            )
          ),
        candidates: Effect.fn("Worktrees.candidates")((limit = 100) =>
          look(
            Effect.gen(function* () {
              const at = yield* now
              const expired = yield* storage.read(WorktreeRepo.expired(at, limit))
              return yield* Effect.forEach(
                expired,
                (manifest) =>
                  Effect.map(statusOf(manifest), (status) => ({ taskId: manifest.taskId, ...status })),
                { concurrency: 4 }
              )
            })
          )
        ),
        remove: Effect.fn("Worktrees.remove")((taskId, request, write) =>
          work(
            taskId,
            Effect.map(remove(taskId, request, write), (manifest) => ({
              manifest,
              removal: manifest.removal ?? {
                forced: false,
                requestedBy: write.by.name,
                requestedAt: manifest.updatedAt
              }
            }))
          )
        ),
        rebase: Effect.fn("Worktrees.rebase")((taskId, request, write) =>
          work(taskId, Effect.flatMap(rebase(taskId, request, write), withStatus))
        ),
        merge: Effect.fn("Worktrees.merge")((taskId, write) =>
          work(taskId, Effect.flatMap(merge(taskId, write), withStatus))
        ),
        requestPullRequest: Effect.fn("Worktrees.requestPullRequest")((taskId, draft, write) =>
          work(
            taskId,
            Effect.flatMap(requestPullRequest(taskId, draft, write), (manifest) =>
              manifest.pullRequest === undefined
                ? Effect.dieMessage(`The manifest ${manifest.id} lost its pull request`)
                : Effect.succeed({ manifest, pullRequest: manifest.pullRequest })
            )
          )
        ),
        open: Effect.fn("Worktrees.open")((taskId, request) => look(open(taskId, request)))
      })
    })
  )
}

const requireManifest =
  (find: (taskId: string) => Effect.Effect<Manifest | undefined, never, Sql>) =>
  (taskId: string): Effect.Effect<Manifest, Absent, Sql> =>
    Effect.gen(function* () {
      yield* requireTask(taskId)
      return (yield* find(taskId)) ?? (yield* new WorktreeNotFound({ taskId }))
    })

const requireNewest = requireManifest(WorktreeRepo.newestOf)
const requireLive = requireManifest(WorktreeRepo.liveOf)

const open = (taskId: string, { atThisMachine, looksOnly }: OpenRequest) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { editor } = yield* WorktreePlaces
    const { path } = yield* storage.read(requireLive(taskId))
    const refuse = (reason: string) => new OpenUnavailable({ reason })
    if (!atThisMachine) return yield* refuse("only a request from this machine may open an editor on it")
    if (editor === undefined) return yield* refuse("no editor is configured; set SERVICE_EDITOR_COMMAND")
    if (looksOnly) return { opened: true as const, path }
    const [file, ...args] = editor
    yield* launch({ file, args: [...args, path], cwd: path, env: ordinaryEnvironment(process.env) }).pipe(
      Effect.mapError(({ message }) => new OpenUnavailable({ reason: message }))
    )
    return { opened: true as const, path }
  })
