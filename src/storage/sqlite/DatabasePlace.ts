import { basename, dirname, join, resolve } from "node:path"
import { isPlatformError, type PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { Data, Effect, Option } from "effect"
import { reasonOf } from "../../kernel/FileTrouble.ts"
import { PlaceUnusable } from "../place/PlaceUnusable.ts"
import { isSound } from "./WalFile.ts"

/** The files that SQLite keeps beside a database. */
export const journals = ["-wal", "-shm", "-journal"] as const

/** What the copy of a board is called that a restore has replaced: a time follows. */
export const keptSuffix = ".before-restore-"

/** What follows the name of such a copy in that of the directory with its blobs. */
export const keptBlobsSuffix = "-blobs"

/** What a board is called that a restore brings in, before it has its name. */
export const stagedSuffix = ".restoring"

/** The write-ahead log holds writes that were acknowledged, and SQLite would pass over them without a word. */
export class WalDamaged extends Data.TaggedError("WalDamaged")<{ readonly file: string }> {
  override get message() {
    return `The write-ahead log ${this.file} is damaged, and holds writes that are not in the database yet. Nothing was changed. Put the file back from a copy of the data directory, or bring a backup back with muster restore FILE; to go on without those writes, move the file away.`
  }
}

const unusable = (file: string, reason: string, remedy?: string): PlaceUnusable =>
  new PlaceUnusable({
    variable: "SERVICE_SQLITE_PATH",
    path: file,
    reason,
    remedy:
      remedy ??
      "Set SERVICE_SQLITE_PATH, or SERVICE_DATA_DIR where it is not set, to a place that this user can write to, on a disk with room."
  })

const orUnusable =
  (file: string) =>
  <A, R>(effect: Effect.Effect<A, PlatformError, R>): Effect.Effect<A, PlaceUnusable, R> =>
    Effect.mapError(effect, (error) => unusable(file, reasonOf(error)))

/**
 * The one name of a database file, without symbolic links: SQLite keeps its journals beside that, and whoever comes by
 * another name meets the same lock. The directory is made when it is missing, for its owner alone.
 */
export const realPlaceOf = (filename: string): Effect.Effect<string, PlaceUnusable, FileSystem.FileSystem> =>
  follow(resolve(filename), 16).pipe(orUnusable(filename))

const follow = (file: string, links: number): Effect.Effect<string, PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const target = links > 0 ? yield* Effect.option(files.readLink(file)) : Option.none()
    if (Option.isSome(target)) return yield* follow(resolve(dirname(file), target.value), links - 1)
    yield* files.makeDirectory(dirname(file), { recursive: true, mode: 0o700 })
    return join(yield* files.realPath(dirname(file)), basename(file))
  })

/**
 * Makes a database file fit to be opened: a file with one name, which its owner alone can read and write, journals and
 * copies included, and whose log is whole. What a restore that was cut short has left behind goes.
 */
export const prepare = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* removeLeftovers(file)
    if (yield* files.exists(file)) {
      const { nlink, type } = yield* files.stat(file)
      if (type !== "File") return yield* unusable(file, "it is no file")
      if (Option.getOrElse(nlink, () => 1) > 1) {
        return yield* unusable(
          file,
          "the file has a second name, a hard link, under which another server would not see what this one writes",
          "Remove the other name, or copy the file in place of linking it."
        )
      }
    } else yield* files.writeFileString(file, "", { flag: "a", mode: 0o600 })
    yield* files.access(file, { readable: true, writable: true })
    yield* Effect.forEach([file, ...journals.map((suffix) => `${file}${suffix}`)], close, { discard: true })
    const wal = `${file}-wal`
    if ((yield* files.exists(wal)) && !isSound(yield* files.readFile(wal))) {
      return yield* new WalDamaged({ file: wal })
    }
  }).pipe(
    Effect.catchIf(isPlatformError, (error) => {
      const path = error._tag === "SystemError" ? error.pathOrDescriptor : undefined
      return unusable(typeof path === "string" ? path : file, reasonOf(error))
    })
  )

/** Closes a file to everybody but its owner, where it is open to others. */
const close = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (!(yield* files.exists(file))) return
    const { mode } = yield* files.stat(file)
    if ((mode & 0o077) === 0 || process.platform === "win32") return
    yield* Effect.catchAll(files.chmod(file, 0o600), (error) =>
      Effect.logWarning(`Others can read ${file}, and it can't be closed to them: ${reasonOf(error)}`)
    )
  })

/**
 * Removes what a restore leaves that dies half-way: a board that has no name yet, and the second names of the old one and
 * of its blobs. The lock is ours, so none is under way.
 */
const removeLeftovers = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const inode = yield* Effect.map(
      Effect.option(files.stat(file)),
      Option.flatMap(({ ino }) => ino)
    )
    const names = yield* files.readDirectory(dirname(file))
    for (const name of names) {
      if (!name.startsWith(basename(file))) continue
      const suffix = name.slice(basename(file).length)
      const path = join(dirname(file), name)
      if (suffix.startsWith(stagedSuffix)) yield* files.remove(path, { force: true })
      // Kept blobs go with the file that they belong to, and may be gone by the time that their name comes up.
      if (!suffix.startsWith(keptSuffix) || suffix.endsWith(keptBlobsSuffix)) continue
      const { ino, type } = yield* files.stat(path)
      if (type === "Directory") continue
      const isSecondName = Option.isSome(inode) && Option.isSome(ino) && inode.value === ino.value
      if (isSecondName) {
        yield* files.remove(`${path}${keptBlobsSuffix}`, { recursive: true, force: true })
        yield* files.remove(path)
      } else yield* close(path)
    }
  })
