import type * as FileSystem from "@effect/platform/FileSystem"
import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Git } from "../../kernel/git/Git.ts"
import * as Journal from "../../storage/events/Journal.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import { RepoLimitReached, RepoNameTaken, RepoNotFound, RepoUnusable } from "./Errors.ts"
import { RepoCreated, RepoDeleted, RepoUpdated } from "./Events.ts"
import { branchesAt, inspect } from "./Inspect.ts"
import {
  type Repo,
  type RepoCandidate,
  type RepoDraft,
  type RepoPatch,
  type RepoVerdict,
  repoLimit
} from "./Repo.ts"
import * as RepoRepo from "./RepoRepo.ts"

/** The repositories that the tasks of the board may have worktrees of. */
export interface ReposService {
  readonly list: Effect.Effect<ReadonlyArray<Repo>>
  readonly add: (draft: RepoDraft, by: ActorContext) => Effect.Effect<Repo, RepoNameTaken | RepoLimitReached>
  /** A patch that names nothing writes nothing. */
  readonly patch: (
    name: string,
    patch: RepoPatch,
    by: ActorContext
  ) => Effect.Effect<Repo, RepoNotFound | RepoNameTaken>
  readonly remove: (name: string, by: ActorContext) => Effect.Effect<void, RepoNotFound>
  readonly validate: (candidate: RepoCandidate) => Effect.Effect<RepoVerdict>
  readonly branches: (name: string) => Effect.Effect<ReadonlyArray<string>, RepoNotFound | RepoUnusable>
}

export class Repos extends Context.Tag("muster/Repos")<Repos, ReposService>() {
  static readonly layer = Layer.effect(
    Repos,
    Effect.gen(function* () {
      const storage = yield* Storage
      const tools = yield* Effect.context<Git | FileSystem.FileSystem>()
      return Repos.of({
        list: storage.read(RepoRepo.all),
        add: Effect.fn("Repos.add")((draft, by) => storage.write(addRepo(draft, by))),
        patch: Effect.fn("Repos.patch")((name, patch, by) => storage.write(patchRepo(name, patch, by))),
        remove: Effect.fn("Repos.remove")((name, by) => storage.write(removeRepo(name, by))),
        validate: Effect.fn("Repos.validate")((candidate) => Effect.provide(inspect(candidate), tools)),
        branches: Effect.fn("Repos.branches")((name) =>
          Effect.flatMap(storage.read(requireRepo(name)), ({ path }) =>
            branchesAt(path).pipe(
              Effect.mapError((reason) => new RepoUnusable({ repo: name, reason })),
              Effect.provide(tools)
            )
          )
        )
      })
    })
  )
}

const requireRepo = (name: string): Effect.Effect<Repo, RepoNotFound, Sql> =>
  Effect.filterOrFail(
    RepoRepo.find(name),
    (found) => found !== undefined,
    () => new RepoNotFound({ repo: name })
  )

const requireFree = (name: string): Effect.Effect<void, RepoNameTaken, Sql> =>
  Effect.flatMap(RepoRepo.find(name), (found) =>
    found === undefined ? Effect.void : new RepoNameTaken({ repo: name })
  )

const addRepo = ({ defaultBranch = "main", name, path }: RepoDraft, by: ActorContext) =>
  Effect.gen(function* () {
    yield* requireFree(name)
    if ((yield* RepoRepo.all).length >= repoLimit) return yield* new RepoLimitReached({ limit: repoLimit })
    const repo: Repo = { name, path, defaultBranch }
    yield* RepoRepo.insert(repo)
    yield* Journal.record(new RepoCreated({ resourceId: name }), by)
    return repo
  })

const patchRepo = (name: string, patch: RepoPatch, by: ActorContext) =>
  Effect.gen(function* () {
    const before = yield* requireRepo(name)
    const fields = Object.keys(patch)
    if (fields.length === 0) return before
    const after: Repo = { ...before, ...patch }
    if (after.name !== name) yield* requireFree(after.name)
    yield* RepoRepo.update(name, after)
    yield* Journal.record(new RepoUpdated({ resourceId: name, fields }), by)
    return after
  })

const removeRepo = (name: string, by: ActorContext) =>
  Effect.gen(function* () {
    yield* requireRepo(name)
    yield* RepoRepo.remove(name)
    yield* Journal.record(new RepoDeleted({ resourceId: name }), by)
  })
