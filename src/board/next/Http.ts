import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { asActor } from "../../kernel/Actor.ts"
import { respondJson } from "../../kernel/Revision.ts"
import { respondTask, taskPrecondition } from "../tasks/Http.ts"
import type { Task } from "../tasks/Task.ts"
import { NextApi } from "./Api.ts"
import { NextTasks } from "./NextTasks.ts"

/** Answers with what was found, and with the revision of the task in the headers when there is one. */
const withRevision = <A extends { readonly task: Pick<Task, "id" | "revision"> | null }>(found: A) =>
  found.task === null
    ? HttpServerResponse.unsafeJson(found)
    : respondJson(JSON.stringify(found), "task", found.task)

export const NextHttp = HttpApiBuilder.group(HttpApi.make("muster").add(NextApi), "next", (handlers) =>
  Effect.map(NextTasks, (next) =>
    handlers
      .handle("get", ({ urlParams }) => asActor((by) => Effect.map(next.next(urlParams, by), withRevision)))
      .handle("claimNext", ({ payload }) =>
        asActor((by) => Effect.map(next.claimNext(payload, by), withRevision))
      )
      .handle("claim", ({ headers, path, payload }) =>
        asActor((by) => Effect.map(next.claim(path.id, payload, taskPrecondition(headers), by), respondTask))
      )
  )
)
