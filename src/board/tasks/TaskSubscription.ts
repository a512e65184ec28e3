import { Effect, Schema } from "effect"
import { IdParam } from "../../kernel/IdParam.ts"
import { integer } from "../../kernel/Text.ts"
import * as Outbox from "../../storage/events/Outbox.ts"
import {
  clientMessage,
  follow,
  leave,
  type Subscription,
  SubscriptionRefused
} from "../../storage/events/Subscription.ts"
import type { AttemptFollowing } from "./AttemptFollowing.ts"
import { TaskIdParam } from "./Task.ts"
import { requireTask } from "./TaskChange.ts"
import { taskEvent } from "./TaskStream.ts"

const Sequence = integer(0, Number.MAX_SAFE_INTEGER)

/** A member that may be absent; null says the same, as `subscribed` itself says null for no attempt. */
const orNull = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true })

const Subscribe = Schema.Struct({
  taskId: TaskIdParam,
  attemptId: orNull(IdParam),
  afterSequence: orNull(Sequence),
  afterTaskSequence: orNull(Sequence)
})

/**
 * `subscribe` follows one task: its own events as `task:event`, and those of an attempt at it. Both come from behind
 * `afterSequence`, by default from the beginning; whoever knows more of one than of the other says `afterTaskSequence`
 * for the task. It is answered with `subscribed`: the attempt, the newest sequence of that as `cursor`, and the newest of
 * the task as `taskCursor`; `unsubscribe` with `unsubscribed`. Where events of the task are no longer kept, `task:gap`
 * comes in their place with the first and the last of their sequences.
 */
export const taskSubscription = (attempts: AttemptFollowing): Subscription => ({
  limit: { most: 100, called: "tasks" },
  messages: [
    clientMessage("subscribe", Subscribe, ({ afterSequence = 0, afterTaskSequence, attemptId, taskId }, by) =>
      Effect.gen(function* () {
        yield* Effect.mapError(requireTask(taskId), noTask)
        const attempt = yield* attempts.begin({ taskId, attemptId, afterSequence }, by)
        const stream = { resource: "task", resourceId: taskId }
        const taskCursor = yield* Outbox.streamHead(stream)
        return follow(
          taskId,
          [
            {
              _tag: "Events",
              stream,
              after: afterTaskSequence ?? afterSequence,
              tell: taskEvent,
              tellGap: (gap) => ({ type: "task:gap", taskId, ...gap })
            },
            ...attempt.pages
          ],
          { type: "subscribed", taskId, attemptId: attempt.attemptId, cursor: attempt.cursor, taskCursor }
        )
      })
    ),
    clientMessage("unsubscribe", Schema.Struct({ taskId: TaskIdParam }), ({ taskId }) =>
      Effect.succeed(leave(taskId, { type: "unsubscribed", taskId }))
    )
  ]
})

const noTask = () => new SubscriptionRefused({ code: "NOT_FOUND", message: "There is no such task" })
