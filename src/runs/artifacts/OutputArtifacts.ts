import { Chunk, Context, Effect, Layer, Stream } from "effect"
import type { TaskNotFound } from "../../board/tasks/Errors.ts"
import { requireTask } from "../../board/tasks/Units.ts"
import { type BlobDamaged, Blobs } from "../../storage/blobs/Blobs.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { AttemptMismatch } from "../attempts/Errors.ts"
import { requireUnaltered } from "../attempts/Units.ts"
import { type Artifact, type ArtifactReading, describe } from "./Artifact.ts"
import { type ArtifactQuery, contentLimit, type DownloadQuery, downloadLength } from "./ArtifactQuery.ts"
import * as ArtifactRepo from "./ArtifactRepo.ts"
import { ArtifactDamaged, ArtifactNotFound, type JsonPathRefused, RangeBeyondEnd } from "./Errors.ts"
import { followPath } from "./JsonPath.ts"
import { lookForLines } from "./LineRange.ts"

/** Bytes of an artifact that are sent as they are: from `offset` to before `end`, of `sizeBytes` in all. */
export interface Download {
  readonly offset: number
  readonly end: number
  readonly sizeBytes: number
  readonly bytes: Stream.Stream<Uint8Array, BlobDamaged>
}

/** Which artifact, as the path names it. */
export interface ArtifactPath {
  readonly taskId: string
  readonly artifactId: string
}

type Unfound = TaskNotFound | AttemptMismatch | ArtifactNotFound | ArtifactDamaged

/** What runs put out that was too long for their events. */
export interface OutputArtifactsService {
  /** Describes an artifact, with the part of it that the query asks for. */
  readonly read: (
    path: ArtifactPath,
    query: ArtifactQuery
  ) => Effect.Effect<ArtifactReading, Unfound | JsonPathRefused>
  readonly download: (
    path: ArtifactPath,
    query: DownloadQuery
  ) => Effect.Effect<Download, Unfound | RangeBeyondEnd>
}

const require = (
  { artifactId, taskId }: ArtifactPath,
  { attemptId, runId }: Pick<ArtifactQuery, "attemptId" | "runId">
): Effect.Effect<Artifact, TaskNotFound | AttemptMismatch | ArtifactNotFound, Sql> =>
  Effect.gen(function* () {
    yield* requireTask(taskId)
    yield* requireUnaltered(taskId, attemptId)
    const found = yield* ArtifactRepo.find(artifactId)
    if (found?.attemptId === attemptId && found.runId === runId) return found
    return yield* new ArtifactNotFound({ artifactId })
  })

const lineCountLimit = 100

export class OutputArtifacts extends Context.Tag("muster/OutputArtifacts")<
  OutputArtifacts,
  OutputArtifactsService
>() {
  static readonly layer = Layer.effect(
    OutputArtifacts,
    Effect.gen(function* () {
      const storage = yield* Storage
      const blobs = yield* Blobs
      // One path at a time: each may take the thread for a quarter of a second.
      const turn = yield* Effect.makeSemaphore(1)

      const open = (
        { digest, id }: Artifact,
        range?: { readonly offset: number; readonly length?: number }
      ) =>
        Effect.mapBoth(blobs.open(digest, range), {
          onSuccess: ({ bytes }) => bytes,
          onFailure: () => new ArtifactDamaged({ artifactId: id })
        })

      const damaged = ({ id }: Artifact) => Effect.mapError(() => new ArtifactDamaged({ artifactId: id }))

      const textOf = (artifact: Artifact, range?: { readonly offset: number; readonly length: number }) =>
        open(artifact, range).pipe(
          Effect.flatMap((bytes) => damaged(artifact)(Stream.runCollect(bytes))),
          Effect.map((pieces) => Buffer.concat(Chunk.toReadonlyArray(pieces)).toString("utf8"))
        )

      const bytesOf = (artifact: Artifact, { length = contentLimit, offset = 0 }: ArtifactQuery) =>
        Effect.gen(function* () {
          const content = offset >= artifact.sizeBytes ? "" : yield* textOf(artifact, { offset, length })
          return { content }
        })

      const linesOf = (artifact: Artifact, { lineCount = lineCountLimit, startLine = 1 }: ArtifactQuery) =>
        Effect.gen(function* () {
          const search = lookForLines({ startLine, lineCount }, contentLimit)
          const bytes = yield* open(artifact)
          yield* damaged(artifact)(Stream.runDrain(Stream.takeUntil(bytes, search.take)))
          const { lines, truncated } = search.found()
          return { content: lines, ...(truncated ? { truncated: true as const } : {}) }
        })

      const contentOf = (artifact: Artifact, query: ArtifactQuery) => {
        switch (query.operation) {
          case undefined:
            return Effect.succeed({})
          case "byte-range":
            return bytesOf(artifact, query)
          case "line-range":
            return linesOf(artifact, query)
          case "json-path":
            return textOf(artifact).pipe(
              Effect.flatMap((json) => followPath(json, query.jsonPath ?? "$")),
              turn.withPermits(1)
            )
        }
      }

      return OutputArtifacts.of({
        read: Effect.fn("OutputArtifacts.read")(function* (path, query) {
          const artifact = yield* storage.read(require(path, query))
          return { ...describe(artifact), ...(yield* contentOf(artifact, query)) }
        }),
        download: Effect.fn("OutputArtifacts.download")(function* (path, query) {
          const artifact = yield* storage.read(require(path, query))
          const { length = downloadLength, offset = 0 } = query
          const { id, sizeBytes } = artifact
          if (offset >= sizeBytes) return yield* new RangeBeyondEnd({ artifactId: id, offset, sizeBytes })
          const end = Math.min(sizeBytes, offset + length)
          const bytes = yield* open(artifact, { offset, length: end - offset })
          return { offset, end, sizeBytes, bytes }
        })
      })
    })
  )
}
