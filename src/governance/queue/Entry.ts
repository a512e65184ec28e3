import { Either, Schema } from "effect"
import { TaskPriority } from "../../board/tasks/Task.ts"
import { IdParam } from "../../kernel/IdParam.ts"
import { optional } from "../../kernel/Optional.ts"
import { severalOf } from "../../kernel/Several.ts"
import { integerText } from "../../kernel/Text.ts"
import { Timestamp } from "../../kernel/Time.ts"
import { LaunchSource } from "../capacity/AdmissionRequest.ts"
import { AdmissionScope, LimitingScope } from "../capacity/Capacity.ts"

/** Where an entry stands: it waits, it was given capacity and is about to start, it has started, or it never will. */
export const EntryState = Schema.Literal("queued", "leased", "dispatched", "terminal")
export type EntryState = typeof EntryState.Type

/** How many of those that wait are looked at, and how many entries a list is made of. */
export const inspectionWindow = 1_000

/** What came of an entry that is terminal. */
export const Outcome = Schema.Literal(
  "cancelled",
  "withdrawn",
  "policy-denied",
  "dispatch-refused",
  "dispatch-broke"
)
export type Outcome = typeof Outcome.Type

/** What can be done with an entry. */
export type EntryCommand = "claim" | "dispatch" | "return" | "end"

/** The state that a command leads to; what has started or is over stays so. */
export const decide = (state: EntryState, command: EntryCommand): Either.Either<EntryState, EntryState> => {
  switch (command) {
    case "claim":
      return state === "queued" ? Either.right("leased") : Either.left(state)
    case "dispatch":
      return state === "leased" ? Either.right("dispatched") : Either.left(state)
    case "return":
      return state === "leased" ? Either.right("queued") : Either.left(state)
    case "end":
      return state === "queued" || state === "leased" ? Either.right("terminal") : Either.left(state)
  }
}

/**
 * A launch that waits for capacity. Whose host and whose root task it is stand there as digests alone, so does what its
 * tree is called where that is the root task, and of what is to be done nothing does.
 */
export const QueueEntry = Schema.Struct({
  id: Schema.String,
  state: EntryState,
  source: LaunchSource,
  priority: TaskPriority,
  workspaceId: Schema.String,
  rootObjectiveId: Schema.String,
  nodeId: Schema.String,
  limitingScopes: Schema.Array(LimitingScope),
  enqueuedAt: Timestamp,
  ageMs: Schema.Int,
  revision: Schema.Int,
  hostHash: optional(Schema.String),
  rootTaskHash: optional(Schema.String)
}).annotations({ identifier: "QueueEntry" })
export type QueueEntry = typeof QueueEntry.Type

/** The entries that match, a page of them; `total` counts all that match within the window. */
export const QueueList = Schema.Struct({
  schemaVersion: Schema.Literal("admission-queue-list/v1"),
  entries: Schema.Array(QueueEntry),
  page: Schema.Int,
  limit: Schema.Int,
  total: Schema.Int
}).annotations({ identifier: "QueueList" })
export type QueueList = typeof QueueList.Type

/** Whether an entry could start as things are, and what it depends on. It promises no time. */
export const Eligibility = Schema.Struct({
  eligible: Schema.Boolean,
  reason: Schema.Literal("capacity", "turn", "fits", "starting", "dispatched", "ended"),
  condition: Schema.String,
  outcome: optional(Outcome)
}).annotations({ identifier: "QueueEligibility" })
export type Eligibility = typeof Eligibility.Type

/** One entry, and its place among those that wait: the first is 1, and those behind the window have none. */
export const QueueInspection = Schema.Struct({
  schemaVersion: Schema.Literal("admission-queue-inspection/v1"),
  entry: QueueEntry,
  eligibility: Eligibility,
  window: Schema.Struct({
    limit: Schema.Int,
    waiting: Schema.Int,
    position: optional(Schema.Int)
  })
}).annotations({ identifier: "QueueInspection" })
export type QueueInspection = typeof QueueInspection.Type

/** The id of an entry as it comes in a path. */
export const EntryIdParam = IdParam.annotations({ description: "The id of an entry of the queue" })

/** How many entries a page has without `limit`. */
export const defaultPage = 50

const Age = integerText(0, Number.MAX_SAFE_INTEGER)

/** The filters of `GET /admission/queue`. All given ones must hold; unknown names are ignored. */
export const QueueFilter = Schema.Struct({
  workspaceId: Schema.optional(IdParam),
  rootObjectiveId: Schema.optional(IdParam),
  nodeId: Schema.optional(IdParam),
  source: Schema.optional(severalOf(LaunchSource, "sources")),
  state: Schema.optional(severalOf(EntryState, "states")),
  priority: Schema.optional(TaskPriority),
  limitingScope: Schema.optional(severalOf(AdmissionScope, "kinds of scopes")),
  minAgeMs: Schema.optional(Age.annotations({ description: "At least so many milliseconds in the queue" })),
  maxAgeMs: Schema.optional(Age.annotations({ description: "At most so many milliseconds in the queue" })),
  page: Schema.optional(integerText(1, 1_000).annotations({ description: "The first is 1" })),
  limit: Schema.optional(integerText(1, 200).annotations({ description: `${defaultPage} when absent` }))
})
export type QueueFilter = typeof QueueFilter.Type
