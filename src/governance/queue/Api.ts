import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import * as Conditional from "../../kernel/Conditional.ts"
import { EntryIdParam, QueueFilter, QueueInspection, QueueList } from "./Entry.ts"
import * as Wire from "./Wire.ts"

const EntryPath = Schema.Struct({ id: EntryIdParam })

export const QueueApi = HttpApiGroup.make("admissionQueue")
  .add(
    HttpApiEndpoint.get("list", "/admission/queue")
      .setUrlParams(QueueFilter)
      .setHeaders(Conditional.Headers)
      .addSuccess(QueueList)
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "Who waits for capacity (`queued` and `leased`), in the order in which they are served as things are: the higher priority first, which grows by a step for each period of waiting, then by turns of the workspaces, then as they came. With `state` those are listed too that were dispatched or are over, newest first. `limitingScopes` are those that have no room now; a list is made of a thousand entries at the most, and `total` counts those that match among them. Nothing here promises a time. Hosts and root tasks are digests, so `rootObjectiveId` is one where the tree is called by its root task; the filter takes either. What is to be done is not kept. `ETag` stays while nothing changes but `ageMs`; `If-None-Match` with it answers 304."
      )
  )
  .add(
    HttpApiEndpoint.get("inspect", "/admission/queue/:id")
      .setPath(EntryPath)
      .setHeaders(Conditional.Headers)
      .addSuccess(QueueInspection)
      .addError(Wire.QueueEntryNotFound)
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "One entry: whether it could start as things are and what that depends on, and its `position` among the thousand that are looked at, from 1; behind them it has none. `ETag` and `If-None-Match` are as for the list. Entries that were dispatched or are over are kept for thirty days, and the last thousand always."
      )
  )
  .add(
    HttpApiEndpoint.post("cancel", "/admission/queue/:id/cancel")
      .setPath(EntryPath)
      .addSuccess(QueueInspection)
      .addError(Wire.QueueEntryNotFound)
      .addError(Wire.QueueEntryOver)
      .annotate(Requires, "agent:write")
      .annotate(
        OpenApi.Description,
        "Ends an entry before it is dispatched, and the attempt that waits by it; capacity that it was given is free again. It is a 409 once the entry was dispatched or is over: then its attempt is stopped instead. Answers the entry as it ended."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Admission queue")
