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
import { CommentDraft, CommentEdit } from "./Comment.ts"
import * as Errors from "./Errors.ts"

const CommentNotFound = Envelope.general(Errors.CommentNotFound, {
  status: 404,
  code: "NOT_FOUND",
  message: (error) => `Task ${error.taskId} has no comment ${error.commentId}`
})

const NotTheAuthor = Envelope.general(Errors.NotTheAuthor, {
  status: 403,
  code: "PERMISSION_DENIED",
  message: (error) =>
    `Comment ${error.commentId} is somebody else's: its author or an administrator may change it`
})

const CommentPath = Schema.Struct({
  ...TaskPath.fields,
  commentId: IdParam
})

export const CommentsApi = HttpApiGroup.make("comments")
  .add(
    HttpApiEndpoint.post("add", "/tasks/:id/comments")
      .setPath(TaskPath)
      .setHeaders(Revision.Headers)
      .setPayload(CommentDraft)
      .addSuccess(CreatedTask)
      .addError(TaskWire.WriteRefused)
      .annotate(Requires, "comment:write")
      .annotate(
        OpenApi.Description,
        "Adds a comment and answers the whole task with its new revision; the comment is the last of `comments`. Secrets in it are redacted."
      )
  )
  .add(
    HttpApiEndpoint.patch("change", "/tasks/:id/comments/:commentId")
      .setPath(CommentPath)
      .setHeaders(Revision.Headers)
      .setPayload(CommentEdit)
      .addSuccess(Task)
      .addError(TaskWire.WriteRefused)
      .addError(CommentNotFound)
      .addError(NotTheAuthor)
      .annotate(Requires, "comment:write")
      .annotate(
        OpenApi.Description,
        "Changes the text of a comment, raises its revision and the task's, and answers the task. Its author may do that and whoever has `admin:manage`, everybody else gets a 403; the author is who was authenticated, whatever name they go by. A `revision` in the body that is not the comment's current one is a 409."
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/tasks/:id/comments/:commentId")
      .setPath(CommentPath)
      .setHeaders(Revision.Headers)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(TaskWire.WriteRefused)
      .addError(CommentNotFound)
      .addError(NotTheAuthor)
      .annotate(Requires, "comment:write")
      .annotate(
        OpenApi.Description,
        "Removes a comment. Its author may do that and whoever has `admin:manage`, everybody else gets a 403."
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Comments")
