import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { lstat, readlink } from "node:fs/promises"
import type * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Schedule } from "effect"
import { type FileName, nameIn, pathIn, recordsOf, shown } from "../../kernel/git/FileName.ts"
import { Git, GitFailed, type Place } from "../../kernel/git/Git.ts"
import { isCommitId } from "../../kernel/git/RefName.ts"
import { commitOf } from "../../kernel/git/Repository.ts"
import type { Baseline, BaselineFile } from "../documents/TaskEnvelope.ts"
import { WorkspaceUnreadable } from "./Errors.ts"
import { pathOf, placeIn, type Workspace } from "./Workspace.ts"

/** A workspace that no repository stands behind. */
const nothing: Baseline = { headSha: null, dirty: false, files: [] }

/** How many files may differ from HEAD: more of them are no baseline that anybody could read. */
const fileLimit = 5_000

/** How often a capture that failed, or that something moved under, is tried again. */
const retries = 3

const ordinary = /^1 (\S\S) (?:\S+ ){5}(\S+) (.*)$/s
const unmerged = /^u (\S\S) (?:\S+ ){8}(.*)$/s

interface Found {
  readonly name: FileName
  readonly status: string
  readonly indexBlobHash: string | null
}

/** What is no file in the index: a hash of zeros. */
const absent = /^0+$/

const headRecord = "# branch.oid "

/** The commit that git compared with; null in a repository without one. */
const headIn = (records: ReadonlyArray<string>): string | null => {
  const head = records.find((record) => record.startsWith(headRecord))?.slice(headRecord.length)
  return head !== undefined && isCommitId(head) ? head : null
}

/** Reads a record of `git status --porcelain=v2`. Dots stand for blanks there. */
const foundIn = (record: string): ReadonlyArray<Found> => {
  if (record.startsWith("? ")) return [{ name: nameIn(record.slice(2)), status: "??", indexBlobHash: null }]
  const [, status, hash, path] = ordinary.exec(record) ?? []
  if (status !== undefined && hash !== undefined && path !== undefined) {
    const indexBlobHash = absent.test(hash) ? null : hash
    return [{ name: nameIn(path), status: status.replaceAll(".", " "), indexBlobHash }]
  }
  const [, conflict, conflicted] = unmerged.exec(record) ?? []
  return conflict === undefined || conflicted === undefined
    ? []
    : [{ name: nameIn(conflicted), status: conflict.replaceAll(".", " "), indexBlobHash: null }]
}

/** The SHA-256 of what lies at a path: of a file its bytes, of a link where it leads; null for anything else. */
const hashOf = async (path: Buffer): Promise<string | null> => {
  const info = await lstat(path).catch(() => undefined)
  if (info === undefined || !(info.isFile() || info.isSymbolicLink())) return null
  const hash = createHash("sha256")
  if (info.isSymbolicLink()) return hash.update(await readlink(path, "buffer")).digest("hex")
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest("hex")
}

const read = (place: Place): Effect.Effect<Baseline, GitFailed, Git> =>
  Effect.gen(function* () {
    const git = yield* Git
    const status = yield* git.bytes({
      at: place,
      args: [
        ...(["status", "--porcelain=v2", "-z", "--no-renames", "--branch", "--no-ahead-behind"] as const),
        ...["--untracked-files=all", "--ignore-submodules=dirty"]
      ],
      reads: true
    })
    const records = recordsOf(status)
    const headSha = headIn(records)
    const found = records.flatMap(foundIn)
    if (found.length > fileLimit) {
      const reason = `more than ${fileLimit} files differ from HEAD: commit them, or have git ignore them`
      return yield* new GitFailed({ command: "status", reason })
    }
    const files = yield* Effect.forEach(
      found,
      ({ indexBlobHash, name, status }) =>
        Effect.map(
          Effect.tryPromise({
            try: () => hashOf(pathIn(place.directory, name)),
            catch: () => new GitFailed({ command: "status", reason: `${shown(name)} can't be read` })
          }),
          (worktreeSha256): BaselineFile => ({ path: shown(name), status, indexBlobHash, worktreeSha256 })
        ),
      { concurrency: 8 }
    )
    // Something that commits meanwhile leaves a picture of neither state.
    if (((yield* commitOf(place, "HEAD")) ?? null) !== headSha) {
      return yield* new GitFailed({ command: "status", reason: "HEAD moved while it was looked at" })
    }
    return { headSha, dirty: files.length > 0, files }
  })

/** What a workspace is now (ruling 83). It is tried again three times, and then nothing may start on it. */
export const captureBaseline = (
  taskId: string,
  workspace: Workspace
): Effect.Effect<Baseline, WorkspaceUnreadable, Git | FileSystem.FileSystem> =>
  Effect.flatMap(placeIn(workspace), (place) =>
    place === undefined ? Effect.succeed(nothing) : read(place)
  ).pipe(
    Effect.retry(Schedule.intersect(Schedule.recurs(retries), Schedule.spaced("100 millis"))),
    Effect.mapError(
      ({ reason }) => new WorkspaceUnreadable({ taskId, path: pathOf(workspace) ?? "", reason })
    ),
    Effect.withSpan("CaptureBaseline")
  )
