import { Effect, Layer } from "effect"
import type { TaskRemoval } from "../board/tasks/TaskRemoval.ts"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Sight.ts"
import type { Retention } from "../storage/Retention.ts"
import { Hooks } from "./hooks/Hooks.ts"
import { HooksHttp } from "./hooks/Http.ts"
import { executionRetention } from "./hooks/Retention.ts"
import { TrackerDrivers } from "./trackers/Driver.ts"
import { githubDriver } from "./trackers/github/GithubDriver.ts"
import { TrackersHttp } from "./trackers/Http.ts"
import { localDriver } from "./trackers/local/LocalDriver.ts"
import { Trackers } from "./trackers/Trackers.ts"
import * as Tracker from "./trackers/Units.ts"

/** The handlers of the integrations. */
export const IntegrationsHttp = Layer.mergeAll(
  HooksHttp.pipe(seeing(Authorization, Hooks)),
  TrackersHttp.pipe(seeing(Authorization, Trackers))
)

/** What the rooms of the integrations do when a task is deleted. */
export const integrationsRemovals: ReadonlyArray<TaskRemoval> = [Tracker.taskRemoval]

/** How long the integrations keep their records. */
export const integrationsRetentions: ReadonlyArray<Retention> = [executionRetention]

/** The kinds of trackers. */
const TrackerDriversLive = Layer.effect(
  TrackerDrivers,
  Effect.all({ github: githubDriver, local: localDriver })
)

/** The services of the integrations. */
export const Integrations = Layer.mergeAll(
  Hooks.layer,
  Trackers.layer.pipe(Layer.provide(TrackerDriversLive))
)
