import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { SearchApi } from "./Api.ts"
import { Searches } from "./Searches.ts"

export const SearchHttp = HttpApiBuilder.group(HttpApi.make("muster").add(SearchApi), "search", (handlers) =>
  Effect.map(Searches, (searches) =>
    handlers
      .handle("search", ({ payload }) => searches.search(payload))
      .handle("refresh", ({ payload }) => asActor((by) => searches.refresh(payload, by)))
  )
)
