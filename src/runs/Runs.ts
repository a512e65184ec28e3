import { Layer } from "effect"
import type { TaskRemoval } from "../board/tasks/TaskRemoval.ts"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Sight.ts"
import type { Subscription } from "../storage/events/Subscription.ts"
import type { Retention } from "../storage/Retention.ts"
import { OutputArtifactsHttp } from "./artifacts/Http.ts"
import { OutputArtifacts } from "./artifacts/OutputArtifacts.ts"
import { artifactRetention } from "./artifacts/Retention.ts"

export { attemptFollowing } from "./journal/AttemptFollowing.ts"

import { RunEventsHttp } from "./journal/Http.ts"
import { runEventRetention } from "./journal/Retention.ts"
import { RunEvents } from "./journal/RunEvents.ts"
import { RunJournals } from "./journal/RunJournals.ts"
import * as Journal from "./journal/Units.ts"

/** The handlers of runs. */
export const RunsHttp = Layer.mergeAll(
  OutputArtifactsHttp.pipe(seeing(Authorization, OutputArtifacts)),
  RunEventsHttp.pipe(seeing(Authorization, RunEvents))
)

/** The services of runs: what agents do, from a start to a result. */
export const Runs = Layer.mergeAll(OutputArtifacts.layer, RunEvents.layer, RunJournals.layer)

/** What goes with a task that is deleted. */
export const runsRemovals: ReadonlyArray<TaskRemoval> = [Journal.taskRemoval]

/** What clients of the live stream can follow of runs. */
export const runsSubscriptions: ReadonlyArray<Subscription> = []

/** How long runs keep what is over. */
export const runsRetentions: ReadonlyArray<Retention> = [runEventRetention, artifactRetention]
