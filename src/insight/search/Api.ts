import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { forReaders } from "../../kernel/Requirement.ts"
import { Refresh, Refreshed, SearchAnswer, SearchQuery } from "./Search.ts"

export const SearchApi = HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.post("search", "/search")
      .setPayload(SearchQuery)
      .addSuccess(SearchAnswer)
      .annotate(Requires, forReaders("task:read"))
      .annotate(
        OpenApi.Description,
        "Finds tasks, archived tasks and documents, best first: 20 results, or `limit` up to 100. Words are compared without case, accents and widths; in Chinese, Japanese, Korean, Thai and other scripts without spaces any part of a text is found, by its pairs of neighbouring characters, or by a single one. The first 16 different words of a query count. Documents that have all of them come first, then those in which the last one, of three letters or more, begins a word; when there are none, any word will do. A score is a share of the best possible one; of two that are alike the newer document comes first. Documents that match are ranked from the newest on, in blocks of up to 16,384 documents, until there are 5,000: older ones are left out then. Of a text the first 100,000 characters are searched, at most 20,000 words of them, of which each counts eight times. A snippet shows the part of at most 240 characters that has most of the words; in texts of more than 4,000 characters it is looked for ten times, others show their beginning. What was written before the request is found. `collections` that are absent or empty are all three. With `backend: semantic`, or when the operator chose it for `auto`, meaning is compared instead; when that can't be had the words decide and `degraded` is true. Readers may search: nothing is written."
      )
  )
  .add(
    HttpApiEndpoint.post("refresh", "/search/index/refresh")
      .setPayload(Refresh)
      .addSuccess(Refreshed)
      .annotate(Requires, "settings:write")
      .annotate(
        OpenApi.Description,
        "Reads the Markdown files of SERVICE_DOCS_DIR again; tasks are in the index without it. With `embed: true` it has texts embedded that are new or have changed, for twenty seconds at the most: `remaining` says how many are left for another call. What is embedded stays, and is not paid for again."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Search")
