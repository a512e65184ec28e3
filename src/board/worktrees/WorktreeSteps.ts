import { Context, Effect } from "effect"

/** The points between which a server that dies leaves something to put right. */
export type Step =
  | "create:recorded"
  | "create:added"
  | "remove:recorded"
  | "remove:moved"
  | "remove:saved"
  | "remove:unregistered"
  | "rebase:recorded"
  | "rebase:done"
  | "merge:added"
  | "merge:pushed"

/** Told of every step as it is reached. Nobody listens, except for tests that end the process there. */
export class WorktreeSteps extends Context.Reference<WorktreeSteps>()("muster/WorktreeSteps", {
  defaultValue: () => ({ reached: (_step: Step): Effect.Effect<void> => Effect.void })
}) {}

/** Tells that a step is reached. */
export const reached = (step: Step): Effect.Effect<void> =>
  Effect.flatMap(WorktreeSteps, (steps) => steps.reached(step))
