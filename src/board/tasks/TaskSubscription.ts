import { Effect, Schema } from "effect"
import { integer } from "../../kernel/Text.ts"
import * as Outbox from "../../storage/events/Outbox.ts"
import {
  clientMessage,
  follow,
  leave,
  type Subscription,
  SubscriptionRefused
} from "../../storage/events/Subscription.ts"
import { TaskIdParam } from "./Task.ts"
import { requireTask } from "./TaskChange.ts"
import { taskEvent } from "./TaskStream.ts"

const Subscribe = Schema.Struct({
  taskId: TaskIdParam,
  attemptId: Schema.optional(Schema.String.pipe(Schema.maxLength(200))),
  afterSequence: Schema.optional(integer(0, Number.MAX_SAFE_INTEGER))
})

/**
 * `subscribe` follows one task from a sequence of its own, by default from the beginning, and is answered with
 * `subscribed` and the newest sequence; `unsubscribe` with `unsubscribed`. Where events are no longer kept, `task:gap`
 * comes in their place with the first and the last of their sequences.
 */
export const taskSubscription: Subscription = {
  limit: { most: 100, called: "tasks" },
  messages: [
    clientMessage("subscribe", Subscribe, ({ afterSequence = 0, attemptId, taskId }) =>
      Effect.gen(function* () {
        yield* Effect.mapError(requireTask(taskId), noTask)
        const stream = { resource: "task", resourceId: taskId }
        const cursor = yield* Outbox.streamHead(stream)
        return follow(
          taskId,
          {
            _tag: "Events",
            stream,
            after: afterSequence,
            tell: taskEvent,
            tellGap: (gap) => ({ type: "task:gap", taskId, ...gap })
          },
          { type: "subscribed", taskId, attemptId: attemptId ?? null, cursor }
        )
      })
    ),
    clientMessage("unsubscribe", Schema.Struct({ taskId: TaskIdParam }), ({ taskId }) =>
      Effect.succeed(leave(taskId, { type: "unsubscribed", taskId }))
    )
  ]
}

const noTask = () => new SubscriptionRefused({ code: "NOT_FOUND", message: "There is no such task" })
