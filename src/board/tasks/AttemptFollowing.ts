import type { Effect } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Pages, SubscriptionRefused } from "../../storage/events/Subscription.ts"
import type { Sql } from "../../storage/Sql.ts"

/** Which attempt at a task somebody follows; without an id the active one, else the latest. */
export interface AttemptAsked {
  readonly taskId: string
  readonly attemptId: string | undefined
  readonly afterSequence: number
}

/** The attempt that is followed with a task, the newest sequence of its own events, and what is told of it. */
export interface AttemptFollowed {
  readonly attemptId: string | null
  readonly cursor: number
  readonly pages: ReadonlyArray<Pages>
}

/** Who follows a task hears what an agent does at it: the tasks room asks, the district that runs agents answers. */
export interface AttemptFollowing {
  readonly begin: (
    asked: AttemptAsked,
    by: ActorContext
  ) => Effect.Effect<AttemptFollowed, SubscriptionRefused, Sql>
}
