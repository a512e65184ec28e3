import { Effect, Layer, Schema } from "effect"
import {
  AttemptLeases,
  BoardAnswers,
  boardRemovals,
  boardSubscriptions,
  claimedUntil,
  ManifestDigests,
  TaskRemovals
} from "./board/Board.ts"
import { ExternalTriggers } from "./conversations/Conversations.ts"
import {
  ApprovalOutcomes,
  AskerAlive,
  Dispatch,
  GovernanceAnswers,
  governanceRemovals
} from "./governance/Governance.ts"
import { forgetTask } from "./insight/Insight.ts"
import { integrationsRemovals } from "./integrations/Integrations.ts"
import {
  activeAttempt,
  attemptFollowing,
  dispatcher,
  isAlive,
  manifestDigests,
  runsRemovals
} from "./runs/Runs.ts"
import { clientMessage, follow, type Subscription } from "./storage/events/Subscription.ts"

/** All that goes with a task that is deleted for good; what was said about it stays. */
const Removals = Layer.succeed(TaskRemovals, [
  ...boardRemovals,
  ...governanceRemovals,
  ...integrationsRemovals,
  ...runsRemovals,
  { forget: forgetTask }
])

/** What the agents of the board can do, as they and the probes of their programs say. */
const Manifests = Layer.succeed(ManifestDigests, { all: manifestDigests })

/** A worktree is not taken away in which an attempt works, or an agent that has claimed its task. */
const Leases = Layer.succeed(AttemptLeases, {
  of: (taskId) =>
    Effect.zipWith(activeAttempt(taskId), claimedUntil(taskId), (active, leaseExpiresAt) => ({
      ...(active === undefined ? {} : { activeAttemptId: active.id }),
      ...(leaseExpiresAt === undefined ? {} : { leaseExpiresAt })
    }))
})

/** An approval is for an attempt that is still there; whoever asks for one hears of it later. */
const Askers = Layer.merge(Layer.succeed(AskerAlive, isAlive), Layer.succeed(ApprovalOutcomes, []))

/** Launches that had to wait begin here. */
const Dispatchers = Layer.succeed(Dispatch, [dispatcher])

/** A board without workflows: what is to be started is kept, and nothing starts. */
const NoWorkflows = Layer.succeed(ExternalTriggers, {
  dispatch: () => Effect.succeed({ _tag: "Waiting", reasonCode: "workflows_not_available" }),
  workflow: () => Effect.succeed("unknown"),
  mayExecute: (_, by) => Effect.succeed(by.permissions.has("workflow:execute"))
})

/** A board without runs: whoever wants to hear of those that are shared is confirmed, and none is. */
const sharedRuns: Subscription = {
  messages: [
    clientMessage("run-session:subscribe", Schema.Struct({}), () =>
      Effect.succeed(
        follow("all", { _tag: "Topic", topic: "run-sessions" }, { type: "run-session:subscribed" })
      )
    )
  ]
}

/** What clients of the live stream can follow. */
export const subscriptions: ReadonlyArray<Subscription> = [
  ...boardSubscriptions(attemptFollowing),
  sharedRuns
]

/**
 * What districts ask of each other, answered once. Whoever asks leaves the port open; the answers need no layer, their
 * units alone need SQL.
 */
export const Answers = Layer.mergeAll(
  Askers,
  BoardAnswers,
  Dispatchers,
  GovernanceAnswers,
  Leases,
  Manifests,
  NoWorkflows,
  Removals
)
