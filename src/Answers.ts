import { Effect, Layer } from "effect"
import { AttemptLeases, BoardAnswers, boardRemovals, TaskRemovals } from "./board/Board.ts"
import { ExternalTriggers } from "./conversations/Conversations.ts"
import { forgetTask } from "./insight/Insight.ts"
import { integrationsRemovals } from "./integrations/Integrations.ts"

/** All that goes with a task that is deleted for good; what was said about it stays. */
const Removals = Layer.succeed(TaskRemovals, [
  ...boardRemovals,
  ...integrationsRemovals,
  { forget: forgetTask }
])

/** A board without attempts: nothing ever runs in a worktree. */
const NoAttempts = Layer.succeed(AttemptLeases, { of: () => Effect.succeed({}) })

/** A board without workflows: what is to be started is kept, and nothing starts. */
const NoWorkflows = Layer.succeed(ExternalTriggers, {
  dispatch: () => Effect.succeed({ _tag: "Waiting", reasonCode: "workflows_not_available" }),
  workflow: () => Effect.succeed("unknown"),
  mayExecute: (_, by) => Effect.succeed(by.permissions.has("workflow:execute"))
})

/**
 * What districts ask of each other, answered once. Whoever asks leaves the port open; the answers need no layer, their
 * units alone need SQL.
 */
export const Answers = Layer.mergeAll(BoardAnswers, Removals, NoAttempts, NoWorkflows)
