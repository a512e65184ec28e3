import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Array as Arr, Effect } from "effect"
import { now } from "../../kernel/Time.ts"
import type { StorageService } from "../../storage/Storage.ts"
import { readDoc, readDocs } from "./Docs.ts"
import type { EmbeddingsService, EmbeddingsUnavailable } from "./Embeddings.ts"
import * as SearchRepo from "./SearchRepo.ts"
import * as VectorRepo from "./VectorRepo.ts"

/** How many texts are embedded in one request, how much of each, and how long a request and a whole refresh may take. */
const batchSize = 32
const timeoutMs = 20_000
const embeddedText = 8_000
const budgetMs = 20_000

/** Where documents come from. */
export interface DocSources {
  /** A folder of the operator. */
  readonly docs: string | undefined
  /** Where this product is installed: what it says of itself can be found too. */
  readonly manual: string | undefined
}

/** What this product says of itself: its first page, and a page for each subject. */
const readManual = (directory: string) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const first = yield* readDoc(path.join(directory, "README.md"), "muster/README.md")
    return [...first, ...(yield* readDocs(path.join(directory, "docs"), "muster/docs"))]
  })

/** Reads the documents again, and counts those that were new, had changed, or were gone. */
export const refreshDocs = (
  storage: StorageService,
  { docs, manual }: DocSources
): Effect.Effect<number, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const documents = [
      ...(manual === undefined ? [] : yield* readManual(manual)),
      ...(docs === undefined ? [] : yield* readDocs(docs, "docs"))
    ]
    const kept = new Set(documents.map(({ key }) => key))
    let updated = 0
    for (const document of documents) {
      if (yield* storage.write(SearchRepo.put(document))) updated += 1
    }
    for (const key of yield* storage.read(SearchRepo.keysOf("docs"))) {
      if (!kept.has(key) && (yield* storage.write(SearchRepo.remove(key)))) updated += 1
    }
    return updated
  })

interface Embedded {
  readonly text: VectorRepo.Waiting
  readonly vector: Float32Array
}

/**
 * Embeds a batch. One that the endpoint does not take is halved until the text that is to blame stands alone, and is passed
 * over: it must not hold up all that come after it.
 */
const embedBatch = (
  embed: EmbeddingsService["embed"],
  batch: ReadonlyArray<VectorRepo.Waiting>
): Effect.Effect<ReadonlyArray<Embedded>, EmbeddingsUnavailable> =>
  embed(
    batch.map(({ text }) => text),
    timeoutMs
  ).pipe(
    Effect.map((vectors) => Arr.zipWith(batch, vectors, (text, vector) => ({ text, vector }))),
    Effect.catchIf(
      ({ refused }) => refused === true && batch.length > 1,
      () =>
        Effect.map(
          Effect.forEach(Arr.chunksOf(batch, Math.ceil(batch.length / 2)), (half) =>
            Effect.catchIf(
              embedBatch(embed, half),
              ({ refused }) => refused === true,
              () => Effect.succeed([])
            )
          ),
          Arr.flatten
        )
    )
  )

/**
 * Embeds what is not embedded yet, batch by batch: each batch is kept as soon as it is there, so nothing is paid for
 * twice. It stops when all is done, when the endpoint fails or takes nothing of a batch, or after twenty seconds; another
 * refresh goes on from there.
 */
export const embedWaiting = (
  storage: StorageService,
  embeddings: EmbeddingsService
): Effect.Effect<{ readonly embedded: number; readonly remaining: number }> =>
  Effect.gen(function* () {
    const { model } = embeddings
    if (model === undefined) return { embedded: 0, remaining: 0 }
    const until = (yield* now) + budgetMs
    let count = 0
    let cursor = 0
    while ((yield* now) < until) {
      const batch = yield* storage.read(VectorRepo.waiting(model, cursor, batchSize, embeddedText))
      const last = batch.at(-1)
      if (last === undefined) break
      const embedded = yield* embedBatch(embeddings.embed, batch).pipe(
        Effect.catchAll(({ message }) => Effect.as(Effect.logWarning(message), []))
      )
      if (embedded.length === 0) break
      yield* storage.write(
        Effect.forEach(embedded, ({ text, vector }) => VectorRepo.put(text, model, vector), { discard: true })
      )
      count += embedded.length
      cursor = last.row
      yield* Effect.logDebug(`Embedded ${count} texts`)
    }
    return { embedded: count, remaining: yield* storage.read(VectorRepo.countWaiting(model)) }
  })
