import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import { Chunk, Data, Effect, Stream } from "effect"
import { type NoRoom, requireRoom } from "../../kernel/FreeSpace.ts"
import type { Connection } from "../Connection.ts"
import * as BlobFiles from "./BlobFiles.ts"
import { BlobDamaged, type BlobNotWritten } from "./Errors.ts"
import * as Parcel from "./Parcel.ts"

/** A copy of the database file alone was given: its rows refer to blobs, and their bytes are nowhere. */
export class BlobsMissing extends Data.TaggedError("BlobsMissing")<{
  readonly file: string
  readonly beside: string
  readonly digest: string
  readonly count: number
}> {
  override get message() {
    const others = this.count === 1 ? "" : ` and of ${this.count - 1} more`
    return `${this.file} is a copy of the database alone: the bytes of the blob ${this.digest}${others} are neither in ${this.beside} nor in the data directory`
  }
}

/** A board that comes back, before it has its name. */
export interface Incoming {
  readonly connection: Connection
  /** The file that it was copied from, as messages call it. */
  readonly shown: string
  /** Where its bytes lie when it does not bring them itself: beside a board that a restore has replaced. */
  readonly beside: string
}

/** The bytes of a blob, out of the copy that brings them. */
const packed = (connection: Connection, digest: string) =>
  Effect.flatMap(Parcel.findingOf(connection, digest), (finding) =>
    finding === null
      ? Effect.succeed(Parcel.piecesOf(connection, digest))
      : new BlobDamaged({ digest, finding: finding ?? "missing" })
  )

/** The bytes of a blob, out of a directory beside the copy. */
const lying = (beside: string, digest: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = BlobFiles.placeOf(beside, digest)
    yield* BlobFiles.requireWhole(file, digest)
    return Stream.mapError(files.stream(file), () => new BlobDamaged({ digest, finding: "unreadable" }))
  })

type Bytes = (
  digest: string
) => Effect.Effect<Stream.Stream<Uint8Array, BlobDamaged>, BlobDamaged, FileSystem.FileSystem>

/** Writes a blob into a data directory, and gives it its name when it is what it should be. */
const bring = (root: string, bytes: Bytes, { digest, sizeBytes }: BlobFiles.Blob) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = join(BlobFiles.incomingOf(root), digest.slice(BlobFiles.scheme.length))
    const content = yield* bytes(digest)
    yield* BlobFiles.written(files.remove(file, { force: true }))
    yield* BlobFiles.write(file, content, sizeBytes).pipe(
      Effect.catchTag("BlobTooLarge", () => new BlobDamaged({ digest, finding: "changed" })),
      Effect.filterOrFail(
        (blob) => blob.digest === digest,
        () => new BlobDamaged({ digest, finding: "changed" })
      ),
      Effect.zipRight(BlobFiles.written(BlobFiles.publish(file, BlobFiles.placeOf(root, digest)))),
      Effect.ensuring(Effect.ignore(files.remove(file, { force: true })))
    )
  })

/** Brings a blob where it is not there and whole already; gives it when it is nowhere. */
const bringMissing = (root: string, bytes: Bytes, blob: BlobFiles.Blob) =>
  BlobFiles.requireWhole(BlobFiles.placeOf(root, blob.digest), blob.digest).pipe(
    Effect.catchTag("BlobDamaged", () => bring(root, bytes, blob)),
    Effect.as<ReadonlyArray<Parcel.LostBlob>>([]),
    Effect.catchTag("BlobDamaged", ({ digest, finding }) => Effect.succeed([{ digest, finding }]))
  )

/** How many bytes of a board's blobs are not in a data directory yet, by the lengths of the files there. */
const missingBytes = (connection: Connection, root: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const missing = ({ digest, sizeBytes }: BlobFiles.Blob) =>
      files.stat(BlobFiles.placeOf(root, digest)).pipe(
        Effect.map(({ size }) => (Number(size) === sizeBytes ? 0 : sizeBytes)),
        Effect.orElseSucceed(() => sizeBytes)
      )
    return yield* Stream.runFoldEffect(Parcel.blobsOf(connection), 0, (sum, blob) =>
      Effect.map(missing(blob), (bytes) => sum + bytes)
    )
  })

/**
 * Writes the blobs of a board that comes back into a data directory, durably and each under its name only when it is
 * whole, so that they are there before the board is. What lies there stays. Gives the blobs that the copy says were lost
 * before it was made. What a crash leaves behind, the next server sweeps.
 */
export const unpackBlobs = (
  { beside, connection, shown }: Incoming,
  directory: string
): Effect.Effect<
  ReadonlyArray<Parcel.LostBlob>,
  BlobNotWritten | BlobsMissing | NoRoom,
  FileSystem.FileSystem
> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const root = BlobFiles.rootOf(directory)
    const isPacked = yield* Parcel.isIn(connection)
    yield* requireRoom(directory, yield* missingBytes(connection, root))
    yield* BlobFiles.written(
      files.makeDirectory(BlobFiles.incomingOf(root), { recursive: true, mode: 0o700 })
    )
    const bytes: Bytes = (digest) => (isPacked ? packed(connection, digest) : lying(beside, digest))
    const brought = Stream.mapEffect(Parcel.blobsOf(connection), (blob) => bringMissing(root, bytes, blob))
    const lost = Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.flattenIterables(brought)))
    const [first] = lost
    const isKnown = isPacked || (yield* Effect.orElseSucceed(files.exists(beside), () => false))
    return first === undefined || isKnown
      ? lost
      : yield* new BlobsMissing({ file: shown, beside, digest: first.digest, count: lost.length })
  })
