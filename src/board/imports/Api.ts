import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { kept } from "../../kernel/Incoming.ts"
import { lineLimit, linesOf } from "./ImportBatch.ts"
import { importFields } from "./ImportFields.ts"
import { ImportResult, RepairResult } from "./ImportResult.ts"

/** Tasks in JSON Lines: an object on each line. */
const TaskLines = Schema.String.annotations({
  description: `Tasks in JSON Lines, up to ${lineLimit} a request. A line is an object in UTF-8 with at least a \`title\`. Understood beside it: ${importFields
    .map(({ meaning, names }) => `${names.map((name) => `\`${name}\``).join(" or ")} (${meaning})`)
    .join(", ")}.`,
  message: () => ({
    message: "Expected JSON Lines, sent as application/x-ndjson or text/plain",
    override: true
  })
}).pipe(
  Schema.filter((text) => linesOf(text).length <= lineLimit, {
    message: () => `Expected at most ${lineLimit} lines`
  }),
  kept("Each line loses its secrets when it is read as a task."),
  HttpApiSchema.withEncoding({ kind: "Text", contentType: "text/plain" })
)

export const ImportsApi = HttpApiGroup.make("imports")
  .add(
    HttpApiEndpoint.post("importTasks", "/tasks/import")
      .setPayload(TaskLines)
      .addSuccess(ImportResult)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "Imports tasks from another board, as `application/x-ndjson` or `text/plain`. Words are understood loosely: `To Do`, `in_progress`, `closed`; priorities as words or as numbers from 0, the most urgent, to 4. A line that can't be a task lands in `failed` and the others go on; bytes that are no UTF-8 are a 400 that names their line. A line is imported once: its `sourceId` names it, else its `id`, else its text; a second import leaves the task as it is by then. Tasks keep their ids where a task can have them. Dependencies are found by id, without regard to case, or by the number at the end of the id; those on tasks that are not there yet are resolved by a later import. Duplicate ids and external identities come in, are kept, and block writes to just those tasks until one of them is gone."
      )
      // The contract knows one media type for text; the door takes lines under several.
      .annotate(OpenApi.Transform, ({ requestBody, ...operation }) => ({
        ...operation,
        requestBody: {
          ...requestBody,
          content: { "application/x-ndjson": requestBody.content["text/plain"], ...requestBody.content }
        }
      }))
  )
  .add(
    HttpApiEndpoint.post("repairIds", "/tasks/import/repair-ids")
      .addSuccess(RepairResult)
      .annotate(Requires, "admin:manage")
      .annotate(
        OpenApi.Description,
        "The way out of shared task ids, on which every other write is a 409: the first task on the board keeps the id, with everything that is known under it, and the others get new ids. Up to 100 ids a request; `remaining` says how many more are shared, up to 100."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Imports")
