import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { created } from "../../kernel/Created.ts"
import { TaskPath } from "../tasks/Api.ts"
import * as TaskWire from "../tasks/Wire.ts"
import { Checkpoint, CheckpointDraft } from "./Checkpoint.ts"
import * as Wire from "./Wire.ts"

/** A checkpoint in the wrapper in which it travels. */
const CheckpointAnswer = Schema.Struct({ success: Schema.Literal(true), checkpoint: Checkpoint })
const SavedCheckpoint = created(CheckpointAnswer)

export const CheckpointsApi = HttpApiGroup.make("checkpoints")
  .add(
    HttpApiEndpoint.post("save", "/tasks/:id/checkpoint")
      .setPath(TaskPath)
      .setPayload(CheckpointDraft)
      .addSuccess(SavedCheckpoint)
      .addError(TaskWire.TaskNotFound)
      .addError(TaskWire.ClaimTakenOver)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Saves where the work on a task has got to, in the place of its last checkpoint: any JSON value of at most 1,000,000 characters, `null` included. Secrets in it are redacted. It lives for 24 hours and starts with a `resumeCount` of 0. The task's revision stays."
      )
  )
  .add(
    HttpApiEndpoint.get("resume", "/tasks/:id/checkpoint")
      .setPath(TaskPath)
      .addSuccess(CheckpointAnswer)
      .addError(Wire.CheckpointNotFound)
      .addError(TaskWire.TaskNotFound)
      .annotate(Requires, "task:read")
      .annotate(
        OpenApi.Description,
        "The task's checkpoint. Each read raises `resumeCount` by one, whoever reads: the first answers 1. `HEAD`, and `GET /tasks/:id/context`, read without counting. One that is missing or has expired is a 404."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/tasks/:id/checkpoint")
      .setPath(TaskPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Wire.CheckpointNotFound)
      .addError(TaskWire.TaskNotFound)
      .addError(TaskWire.ClaimTakenOver)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        "Deletes the task's checkpoint. One that is missing or has expired is a 404."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Checkpoints")
