import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { TaskIdParam } from "../../board/tasks/Task.ts"
import * as TaskWire from "../../board/tasks/Wire.ts"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { integerText } from "../../kernel/Text.ts"
import * as AttemptWire from "../attempts/Wire.ts"
import { RunEventPage } from "./RunEvent.ts"

export const RunEventsApi = HttpApiGroup.make("runEvents")
  .add(
    HttpApiEndpoint.get("list", "/agents/:taskId/attempts/:attemptId/events")
      .setPath(Schema.Struct({ taskId: TaskIdParam, attemptId: IdParam }))
      .setUrlParams(
        Schema.Struct({
          afterSequence: Schema.optional(
            integerText(0, Number.MAX_SAFE_INTEGER).annotations({
              description:
                "The sequence that is known already: events after it are listed, all when it is absent"
            })
          ),
          limit: Schema.optional(
            integerText(1, 500).annotations({
              description: "How many events to list at the most, 100 when absent"
            })
          )
        })
      )
      .addSuccess(RunEventPage)
      .addError(TaskWire.TaskNotFound)
      .addError(AttemptWire.AttemptMismatch)
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "What an attempt said and did, in its own order: `sequence` counts from 1 without gaps, and `nextCursor` as `afterSequence` gives the next page. Secrets are taken out before anything is stored; `redaction.fields` names where they stood. A payload of more than 16,384 bytes of JSON is `{artifactId, preview}`, an output artifact; of a single one more than 8,388,608 bytes, and of all of an attempt more than 67,108,864, are dropped: `payload` is null, and `redaction` says so. `payloadHash` is taken over the canonical JSON of the payload that is shown. Kinds are open: one that is not known is kept as it came. Events are kept for 90 days, and of an attempt the newest 100,000; `gap` names the sequences after the cursor that are no longer kept. An attempt that waits has no events yet; one that is not of the task is a 409."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Run events")
