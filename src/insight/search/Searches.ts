import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { now } from "../../kernel/Time.ts"
import * as Journal from "../../storage/events/Journal.ts"
import * as Projection from "../../storage/events/Projection.ts"
import { Storage } from "../../storage/Storage.ts"
import { Embeddings, type EmbeddingsEndpoint } from "./Embeddings.ts"
import { SearchRefreshed } from "./Events.ts"
import { FindableTasks } from "./FindableTasks.ts"
import { searchByWords } from "./KeywordSearch.ts"
import type { Refresh, Refreshed, SearchAnswer, SearchQuery } from "./Search.ts"
import { searchIndex } from "./SearchIndex.ts"
import { rebuild } from "./SearchRebuild.ts"
import { type DocSources, embedWaiting, refreshDocs } from "./SearchRefresh.ts"
import { searchByMeaning } from "./SemanticSearch.ts"

/** How many results come when the query does not say. */
const defaultLimit = 20

/** How search is configured. */
export interface SearchSettings extends DocSources {
  /** What `auto` means. */
  readonly backend: "keyword" | "semantic"
  readonly embeddings: EmbeddingsEndpoint | undefined
}

/** Finds tasks and documents, by words or by meaning. */
export interface SearchesService {
  readonly search: (query: SearchQuery) => Effect.Effect<SearchAnswer>
  /** Reads the documents again, and embeds what is not embedded yet. */
  readonly refresh: (refresh: Refresh, by: ActorContext) => Effect.Effect<Refreshed>
}

export class Searches extends Context.Tag("muster/Searches")<Searches, SearchesService>() {
  static readonly layer = (settings: SearchSettings) =>
    Layer.scoped(
      Searches,
      Effect.gen(function* () {
        const storage = yield* Storage
        const embeddings = yield* Embeddings
        const files = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
        const { catchUp } = yield* Projection.keep(searchIndex(yield* FindableTasks))
        const turn = yield* Effect.makeSemaphore(1)
        const readDocs = Effect.provide(refreshDocs(storage, settings), files)
        // The first answers of a server are not kept waiting by its documents.
        yield* Effect.forkScoped(
          Effect.delay(Effect.zipRight(rebuild(storage), turn.withPermits(1)(readDocs)), "1 second")
        )

        return Searches.of({
          search: Effect.fn("Searches.search")(function* (asked) {
            const startedAt = yield* now
            yield* catchUp
            const { backend = "auto", collections = [], limit = defaultLimit, query } = asked
            const wanted = backend === "auto" ? settings.backend : backend
            const question = { query, limit, collections: [...new Set(collections)] }
            const byMeaning =
              wanted === "semantic"
                ? yield* Effect.option(searchByMeaning(storage, embeddings, question))
                : undefined
            const found = byMeaning?._tag === "Some" ? byMeaning.value : undefined
            const results = found ?? (yield* searchByWords(storage, question))
            return {
              query,
              backend: found === undefined ? ("keyword" as const) : ("semantic" as const),
              degraded: wanted === "semantic" && found === undefined,
              elapsedMs: (yield* now) - startedAt,
              results
            }
          }),
          refresh: Effect.fn("Searches.refresh")(function* ({ embed = false }, by) {
            const startedAt = yield* now
            yield* catchUp
            const updated = yield* readDocs
            const { embedded, remaining } = embed
              ? yield* embedWaiting(storage, embeddings)
              : { embedded: 0, remaining: 0 }
            yield* storage.write(
              Journal.record(new SearchRefreshed({ resourceId: "index", updated, embedded, remaining }), by)
            )
            return {
              backend: settings.backend,
              updated,
              embedded,
              remaining,
              elapsedMs: (yield* now) - startedAt,
              commands: remaining === 0 ? [] : ["muster reindex --embed"]
            }
          }, turn.withPermits(1))
        })
      })
    ).pipe(Layer.provide(Embeddings.layer(settings.embeddings)))
}
