import { createHash } from "node:crypto"
import { dirname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Chunk, Effect, Stream } from "effect"
import { type NoRoom, requireRoom } from "../../kernel/FreeSpace.ts"
import { type Connection, CopyFailed, openPlain } from "../Connection.ts"
import { runOn, sql } from "../Sql.ts"
import { type Blob, damaged, placeOf, rootOf, scheme } from "./BlobFiles.ts"
import { BlobDamaged } from "./Errors.ts"
import * as Parcel from "./Parcel.ts"

/** How many bytes the blobs of a copy are; undefined when it has none. */
const sizeOf = (connection: Connection): Effect.Effect<number | undefined> =>
  Stream.runFold(
    Parcel.blobsOf(connection),
    undefined as number | undefined,
    (sum = 0, { sizeBytes }) => sum + sizeBytes
  )

/** Puts a blob into the copy, or says there what is wrong with it. */
const pack = (connection: Connection, root: string, { digest, sizeBytes }: Blob) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const hash = createHash("sha256")
    const bytes = files.stream(placeOf(root, digest), {
      chunkSize: Parcel.pieceSize,
      // No more of a file than was put there, were it longer now.
      bytesToRead: sizeBytes
    })
    const hashed = Stream.tap(bytes, (piece) => Effect.sync(() => hash.update(piece)))
    yield* damaged(digest)(Parcel.add(connection, digest, hashed))
    if (`${scheme}${hash.digest("hex")}` !== digest) {
      return yield* new BlobDamaged({ digest, finding: "changed" })
    }
    return []
  }).pipe(
    Effect.catchTag("BlobDamaged", ({ digest, finding }) => {
      const lost: Parcel.LostBlob = { digest, finding }
      return Effect.as(Parcel.addLost(connection, lost), [lost])
    })
  )

/**
 * Puts the bytes of every blob of a data directory into a copy of its board, a piece at a time; whoever calls it keeps
 * them from the sweep. A blob that is not whole any more does not keep the rest from being saved: the copy says what is
 * wrong with it, and so does the answer.
 */
export const packBlobs = (
  file: string,
  directory: string
): Effect.Effect<ReadonlyArray<Parcel.LostBlob>, CopyFailed | NoRoom, FileSystem.FileSystem> =>
  Effect.scoped(
    Effect.gen(function* () {
      const connection = yield* openPlain(file)
      const sizeBytes = yield* sizeOf(connection)
      if (sizeBytes === undefined) return []
      yield* requireRoom(dirname(file), sizeBytes)
      // What is there of a copy that broke off is of no use to anybody: nothing has to be taken back.
      yield* runOn(connection, sql`PRAGMA journal_mode = DELETE`)
      yield* runOn(connection, sql`PRAGMA journal_mode = OFF`)
      yield* runOn(connection, sql`PRAGMA synchronous = OFF`)
      yield* Parcel.begin(connection)
      const lost = Stream.mapEffect(Parcel.blobsOf(connection), (blob) =>
        pack(connection, rootOf(directory), blob)
      )
      return Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.flattenIterables(lost)))
    })
  ).pipe(
    // SQLite's: most often the disk is full.
    Effect.catchAllDefect((defect) => new CopyFailed({ reason: String(defect) }))
  )
