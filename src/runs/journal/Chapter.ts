import { Effect, type Scope, Stream } from "effect"
import { newId } from "../../kernel/Ids.ts"
import { now } from "../../kernel/Time.ts"
import * as Blobs from "../../storage/blobs/Blobs.ts"
import * as Log from "../../storage/Log.ts"
import type { Sql } from "../../storage/Sql.ts"
import { type Artifact, insertArtifact, previewOf } from "../artifacts/Units.ts"
import { JournalNotOpen } from "./Errors.ts"
import * as JournalRepo from "./JournalRepo.ts"
import {
  attemptLimit,
  type Kept,
  keep,
  kindOf,
  type RunFact,
  sessionOf,
  storedPart,
  storedText
} from "./Payload.ts"
import { streamOf } from "./RunStream.ts"

/** Facts of one attempt that are written in one unit: how much of them is stored, and the artifacts that they need. */
export interface Chapter {
  readonly attemptId: string
  readonly entries: ReadonlyArray<Log.Fact>
  readonly artifacts: ReadonlyArray<Artifact>
  readonly storedBytes: number
}

/** Writes the output of a fact that is too long for its event into a file; undefined when the disk does not take it. */
const fileOf = (
  blobs: Blobs.BlobsService,
  journal: JournalRepo.OpenJournal,
  { output }: Extract<Kept, { _tag: "Output" }>
): Effect.Effect<Artifact | undefined, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { attemptId, runId, taskId } = journal
    const { bytes, media, originalBytes } = output
    const { digest, sizeBytes } = yield* blobs.put(Stream.make(bytes), bytes.length)
    const id = yield* newId("artifact")
    const preview = previewOf(bytes)
    return { id, taskId, attemptId, runId, media, originalBytes, sizeBytes, preview, digest }
  }).pipe(
    Effect.catchAll((error) =>
      Effect.as(Effect.logWarning(`An output of attempt ${journal.attemptId} is dropped`, error), undefined)
    )
  )

/**
 * Makes of facts what is stored: without secrets, the long ones as files, and what exceeds the limit of the attempt
 * dropped. It takes some ten microseconds for a kilobyte of output, and the files; nothing is in the database yet.
 */
export const compose = (
  blobs: Blobs.BlobsService,
  journal: JournalRepo.OpenJournal,
  facts: ReadonlyArray<RunFact>
): Effect.Effect<Chapter, never, Scope.Scope> =>
  Effect.gen(function* () {
    const entries: Array<Log.Fact> = []
    const artifacts: Array<Artifact> = []
    let { storedBytes } = journal
    for (const fact of facts) {
      const kind = kindOf(fact.kind)
      const sessionId = sessionOf(fact.sessionId ?? journal.sessionId)
      const kept = keep(fact, attemptLimit - storedBytes)
      const artifact = kept._tag === "Output" ? yield* fileOf(blobs, journal, kept) : undefined
      if (kept._tag === "Inline") {
        storedBytes += kept.redaction.persistedBytes
        entries.push({ kind, payload: storedText(sessionId, kept.redaction, kept.hash, kept.json) })
      } else if (kept._tag === "Output" && artifact !== undefined) {
        const { fields, originalBytes, output, status } = kept
        storedBytes += artifact.sizeBytes
        artifacts.push(artifact)
        const payload = { artifactId: artifact.id, preview: artifact.preview, ...output.rest }
        entries.push({ kind, payload: storedPart(sessionId, { status, fields, originalBytes }, payload) })
      } else {
        const redaction = { status: "dropped", fields: [], originalBytes: kept.originalBytes } as const
        entries.push({ kind, payload: storedPart(sessionId, redaction, null) })
      }
    }
    return { attemptId: journal.attemptId, entries, artifacts, storedBytes }
  })

/** Writes a chapter, and gives the sequence of its last event. */
export const write = ({
  artifacts,
  attemptId,
  entries,
  storedBytes
}: Chapter): Effect.Effect<number, JournalNotOpen, Sql> =>
  Effect.gen(function* () {
    if (!(yield* JournalRepo.lengthen(attemptId, storedBytes)))
      return yield* new JournalNotOpen({ attemptId })
    if (artifacts.length > 0) {
      const at = yield* now
      for (const artifact of artifacts) {
        yield* Blobs.keep(artifact)
        yield* insertArtifact(artifact, at)
      }
    }
    return yield* Log.append(streamOf(attemptId), entries)
  })
