import type * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Either, Schema } from "effect"
import type { Git } from "../../kernel/git/Git.ts"
import { isBranchName } from "../../kernel/git/RefName.ts"
import * as Repository from "../../kernel/git/Repository.ts"
import { type RepoCandidate, RepoName, RepoPath, type RepoVerdict } from "./Repo.ts"

/** The branches of the repository at a path, or why git can't work with what is there. */
export const branchesAt = (
  path: string
): Effect.Effect<ReadonlyArray<string>, string, Git | FileSystem.FileSystem> =>
  Effect.flatMap(Repository.open(path), Repository.branches).pipe(Effect.mapError(({ reason }) => reason))

/** Looks at a repository without keeping anything; every fault is told. */
export const inspect = (
  candidate: RepoCandidate
): Effect.Effect<RepoVerdict, never, Git | FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const errors: Array<string> = []
    if (candidate.name !== undefined && Either.isLeft(Schema.decodeUnknownEither(RepoName)(candidate.name))) {
      errors.push("name: expected 1 to 100 letters, digits, dots, dashes and underscores")
    }
    const { defaultBranch } = candidate
    const canonical = defaultBranch === undefined || isBranchName(defaultBranch)
    if (!canonical) errors.push("defaultBranch: git does not take this name for a branch")
    if (!Schema.is(RepoPath)(candidate.path)) {
      return {
        valid: false,
        errors: [...errors, "path: expected an absolute path on the machine of the server"]
      }
    }
    const found = yield* Effect.either(branchesAt(candidate.path))
    if (Either.isLeft(found)) return { valid: false, errors: [...errors, `path: ${found.left}`] }
    if (defaultBranch !== undefined && canonical && !found.right.includes(defaultBranch)) {
      errors.push("defaultBranch: the repository has no such branch")
    }
    return { valid: errors.length === 0, branches: found.right, errors }
  })
