import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import * as Envelope from "../../kernel/Envelope.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import * as Revision from "../../kernel/Revision.ts"
import { CreatedTask, TaskPath } from "../tasks/Api.ts"
import { Task } from "../tasks/Task.ts"
import * as TaskWire from "../tasks/Wire.ts"
import * as Errors from "./Errors.ts"
import { TimeEntryDraft, TimeSummary } from "./Time.ts"

const TimerRunning = Envelope.general(Errors.TimerRunning, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The timer of task ${error.taskId} is running: stop it first`
})
const TimerStopped = Envelope.general(Errors.TimerStopped, {
  status: 409,
  code: "CONFLICT",
  message: (error) => `The timer of task ${error.taskId} is not running`
})
const TimeEntryNotFound = Envelope.general(Errors.TimeEntryNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Task ${error.taskId} has no time entry ${error.entryId}`
})

export const TimeApi = HttpApiGroup.make("time")
  .add(
    HttpApiEndpoint.get("summary", "/tasks/time/summary")
      .addSuccess(TimeSummary)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The time spent on the whole board, by task and by project, in milliseconds."
      )
  )
  .add(
    HttpApiEndpoint.post("start", "/tasks/:id/time/start")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .addSuccess(Task)
      .addError(TaskWire.WriteRefused)
      .addError(TimerRunning)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Starts the timer of a task and answers the task. A timer that runs is a 409."
      )
  )
  .add(
    HttpApiEndpoint.post("stop", "/tasks/:id/time/stop")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .addSuccess(Task)
      .addError(TaskWire.WriteRefused)
      .addError(TimerStopped)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Stops the timer of a task and answers the task. A timer that stands still is a 409."
      )
  )
  .add(
    HttpApiEndpoint.post("addEntry", "/tasks/:id/time/entry")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(TimeEntryDraft)
      .addSuccess(CreatedTask)
      .addError(TaskWire.WriteRefused)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Adds time that was spent without the timer, up to 30 days, and answers the task; the new entry is the last of `timeTracking.entries`."
      )
  )
  .add(
    HttpApiEndpoint.del("removeEntry", "/tasks/:id/time/entry/:entryId")
      .setPath(Schema.Struct({ ...TaskPath.fields, entryId: IdParam }))
      .setHeaders(Revision.Headers)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(TaskWire.WriteRefused)
      .addError(TimeEntryNotFound)
      .addError(TimerRunning)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Removes a time entry. The entry of a running timer is a 409: stop it first."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Time tracking")
