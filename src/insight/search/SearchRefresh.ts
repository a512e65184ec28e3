import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { Effect } from "effect"
import { now } from "../../kernel/Time.ts"
import type { StorageService } from "../../storage/Storage.ts"
import { readDoc, readDocs } from "./Docs.ts"
import type { Embeddings } from "./Embeddings.ts"
import * as SearchRepo from "./SearchRepo.ts"
import * as VectorRepo from "./VectorRepo.ts"

/** How many texts are embedded in one request, how much of each, and how long one refresh goes on with it. */
const batchSize = 32
const embeddedText = 8_000
const budgetMs = 20_000

/** Where documents come from: a folder of the operator, and the manual of this product. */
export interface DocSources {
  readonly docs: string | undefined
  readonly manual: string | undefined
}

/** Reads the documents again, and counts those that were new, had changed, or were gone. */
export const refreshDocs = (
  storage: StorageService,
  { docs, manual }: DocSources
): Effect.Effect<number, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const documents = [
      ...(manual === undefined ? [] : yield* readDoc(manual, "muster/README.md")),
      ...(docs === undefined ? [] : yield* readDocs(docs))
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

/**
 * Embeds what is not embedded yet, batch by batch: each batch is kept as soon as it is there, so nothing is paid for
 * twice. It stops when all is done, when the endpoint fails, or after twenty seconds; another refresh goes on from there.
 */
export const embedWaiting = (
  storage: StorageService,
  { embed, model }: typeof Embeddings.Service
): Effect.Effect<{ readonly embedded: number; readonly remaining: number }> =>
  Effect.gen(function* () {
    if (model === undefined) return { embedded: 0, remaining: 0 }
    const until = (yield* now) + budgetMs
    let embedded = 0
    while ((yield* now) < until) {
      const batch = yield* storage.read(VectorRepo.waiting(model, batchSize, embeddedText))
      if (batch.length === 0) break
      const vectors = yield* Effect.option(
        Effect.tapError(embed(batch.map(({ text }) => text)), ({ message }) => Effect.logWarning(message))
      )
      if (vectors._tag === "None") break
      yield* storage.write(
        Effect.forEach(
          batch,
          (text, index) => {
            const vector = vectors.value[index]
            return vector === undefined ? Effect.void : VectorRepo.put(text, model, vector)
          },
          { discard: true }
        )
      )
      embedded += batch.length
      yield* Effect.logDebug(`Embedded ${embedded} texts`)
    }
    return { embedded, remaining: yield* storage.read(VectorRepo.countWaiting(model)) }
  })
