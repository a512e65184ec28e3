import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import * as TaskWire from "../../board/tasks/Wire.ts"
import { Authorization, Requires } from "../../kernel/Authorization.ts"
import { AttemptIdParam, RunPath } from "../attempts/Params.ts"
import * as AttemptWire from "../attempts/Wire.ts"
import { Completed, CompletionCall } from "../completion/Completion.ts"
import * as CompletionWire from "../completion/Wire.ts"
import {
  MessageCall,
  MessageTaken,
  RunStatus,
  StopCall,
  Stopped,
  TokensCall,
  TokensCounted
} from "./Control.ts"

const bound =
  "`attemptId` is never guessed: without it the call is a 400, and one of another task, or one whose documents are no longer what it was launched with, is a 409."

export const ControlApi = HttpApiGroup.make("control")
  .add(
    HttpApiEndpoint.get("status", "/agents/:taskId/status")
      .setPath(RunPath)
      .setUrlParams(Schema.Struct({ attemptId: Schema.optional(AttemptIdParam) }))
      .addSuccess(RunStatus)
      .addError(TaskWire.TaskNotFound)
      .addError(AttemptWire.AttemptMismatch)
      .annotate(Requires, "agent:read")
      .annotate(
        OpenApi.Description,
        "Where the work on a task stands: its active attempt, else its last one; `attemptId: null` when there was none. With `attemptId` it is exactly that attempt, and one of another task is a 409. It shows what the attempt was launched with, which never changes, what it has used, its result once it is over, and every control with the reason where it is not to be had. A queued attempt is `running: false` with `status: queued` and has no documents yet."
      )
  )
  .add(
    HttpApiEndpoint.post("stop", "/agents/:taskId/stop")
      .setPath(RunPath)
      .setPayload(StopCall)
      .addSuccess(Stopped)
      .addError(TaskWire.TaskNotFound)
      .addError(TaskWire.ClaimTakenOver)
      .addError(AttemptWire.AttemptMismatch)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        `Ends an attempt as interrupted: a process with its whole group, a queued attempt with its place in the queue; an agent that works elsewhere is not reached, and its later calls are a 409. The task stays in progress. Stopping it again has the same outcome; one that ended otherwise is a 409. ${bound}`
      )
  )
  .add(
    HttpApiEndpoint.post("tokens", "/agents/:taskId/tokens")
      .setPath(RunPath)
      .setPayload(TokensCall)
      .addSuccess(TokensCounted)
      .addError(TaskWire.TaskNotFound)
      .addError(TaskWire.ClaimTakenOver)
      .addError(AttemptWire.AttemptMismatch)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        `Adds what an agent has used since its last report. The four buckets (fresh input, output, cache reads, cache writes) never overlap: input that was read from a cache is no input again. \`cacheTokens\` is the sum of the two of the cache, and counts as reads when it stands alone. The answer is what the attempt has used in all, model by model; it outlives the task. After the end it is a 409. ${bound}`
      )
  )
  .add(
    HttpApiEndpoint.post("message", "/agents/:taskId/message")
      .setPath(RunPath)
      .setPayload(MessageCall)
      .addSuccess(MessageTaken)
      .addError(TaskWire.TaskNotFound)
      .addError(TaskWire.ClaimTakenOver)
      .addError(AttemptWire.AttemptMismatch)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        `Says something to a run. It is recorded among the run's events and handed on where the agent has an interactive stream; where it has none the answer is 200 with \`delivered: false\` and the reason. \`actor\` is the name that the message is shown under, the caller's own without it. ${bound}`
      )
  )
  .add(
    HttpApiEndpoint.post("complete", "/agents/:taskId/complete")
      .setPath(RunPath)
      .setPayload(CompletionCall)
      .addSuccess(Completed)
      .addError(TaskWire.TaskNotFound)
      .addError(TaskWire.ClaimTakenOver)
      .addError(AttemptWire.AttemptMismatch)
      .addError(CompletionWire.CallbackRefused)
      .addError(CompletionWire.CompletionConflict)
      .annotate(Requires, "task:write")
      .annotate(
        OpenApi.Description,
        `Completes an attempt of an agent that works elsewhere; an agent that the service runs itself is seen to end, and a callback for it is a 409. How it ended stands in \`success\` (false is failed) or in \`status\`. **\`success: true\` with a summary alone becomes \`partial\`**: something must stand behind it, at least one entry in \`providerEvidence\`, \`artifacts\` or \`verification\`; an empty list is nothing. A success also becomes partial when the commit policy was broken, a required output is missing, or a side effect was not allowed; \`completionResult.degradations\` says which. success moves the task to done, blocked to blocked, everything else leaves it in progress. Where a gate refuses done, the result stands all the same and the answer is 200 with \`taskStatus\` and \`gate\`. The same claim again, in whatever order of keys, is answered with the result that stands, after a restart too; another claim is a 409. ${bound}`
      )
  )
  .middleware(Authorization)
  .prefix("/api")
  .annotate(OpenApi.Title, "Run control")
