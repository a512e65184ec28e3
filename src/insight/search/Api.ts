import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Authorization, ForReaders, Requires } from "../../kernel/Authorization.ts"
import { Refresh, Refreshed, SearchAnswer, SearchQuery } from "./Search.ts"

export const SearchApi = HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.post("search", "/search")
      .setPayload(SearchQuery)
      .addSuccess(SearchAnswer)
      .annotate(Requires, "task:read")
      .annotate(ForReaders, true)
      .annotate(
        OpenApi.Description,
        "Finds tasks, archived tasks and documents, best first: 20 results, or `limit` up to 100. Words are compared without case and accents. Documents that have all of them come first, then those in which the last one, of three letters or more, begins a word; when there are none, any word will do. Of more than 5,000 that match, the newest 5,000 are ranked. What was written before the request is found. `collections` that are absent or empty are all three. With `backend: semantic`, or when the operator chose it for `auto`, meaning is compared instead; when that can't be had the words decide and `degraded` is true. Readers may search: nothing is written."
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
