import { Layer } from "effect"
import { Gates } from "../board/Board.ts"
import type { TaskRemoval } from "../board/tasks/TaskRemoval.ts"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Sight.ts"
import type { Retention } from "../storage/Retention.ts"
import { CommandAdapter } from "./adapters/CommandAdapter.ts"
import { OutputArtifactsHttp } from "./artifacts/Http.ts"
import { OutputArtifacts } from "./artifacts/OutputArtifacts.ts"
import { artifactRetention } from "./artifacts/Retention.ts"
import * as Attempts from "./attempts/Units.ts"
import { Completions } from "./completion/Completions.ts"
import { ControlHttp } from "./control/Http.ts"
import { RunControl } from "./control/RunControl.ts"
import { HostsHttp } from "./hosts/Http.ts"
import { RuntimeManifests } from "./hosts/RuntimeManifests.ts"
import { RunEventsHttp } from "./journal/Http.ts"
import { runEventRetention } from "./journal/Retention.ts"
import { RunEvents } from "./journal/RunEvents.ts"
import { RunJournals } from "./journal/RunJournals.ts"
import * as Journal from "./journal/Units.ts"
import { LaunchHttp } from "./launch/Http.ts"
import { Launches } from "./launch/Launches.ts"
import { ManagedRuns } from "./managed/ManagedRuns.ts"
import { Processes } from "./processes/Processes.ts"
import { RecoveryHttp } from "./recovery/Http.ts"
import { Recoveries } from "./recovery/Recoveries.ts"
import * as Recovery from "./recovery/Units.ts"
import { AgentRegistry } from "./registry/AgentRegistry.ts"
import { RegistryHttp } from "./registry/Http.ts"
import { WatchdogHttp } from "./watchdog/Http.ts"
import * as FoundByWatchdog from "./watchdog/Units.ts"
import { Watchdog } from "./watchdog/Watchdog.ts"

/** The handlers of runs. */
export const RunsHttp = Layer.mergeAll(
  ControlHttp.pipe(seeing(Authorization, RunControl, Completions)),
  HostsHttp.pipe(seeing(Authorization, RuntimeManifests)),
  LaunchHttp.pipe(seeing(Authorization, Launches)),
  OutputArtifactsHttp.pipe(seeing(Authorization, OutputArtifacts)),
  RecoveryHttp.pipe(seeing(Authorization, Recoveries)),
  RegistryHttp.pipe(seeing(Authorization, AgentRegistry)),
  RunEventsHttp.pipe(seeing(Authorization, RunEvents)),
  WatchdogHttp.pipe(seeing(Authorization, Watchdog))
)

export { manifestDigests } from "./hosts/Units.ts"
export { attemptFollowing } from "./journal/AttemptFollowing.ts"
export { dispatcher } from "./launch/Dispatcher.ts"
export { HeartbeatTimeout } from "./registry/HeartbeatTimeout.ts"

/** What of runs goes with a task that is deleted. */
export const runsRemovals: ReadonlyArray<TaskRemoval> = [
  Attempts.taskRemoval,
  Journal.taskRemoval,
  Recovery.taskRemoval,
  FoundByWatchdog.taskRemoval
]

/** A worktree in which an attempt works is not taken away. */
export const activeAttempt = Attempts.activeOf

/** Whether an attempt that asked for something is still there to hear the answer. */
export const isAlive = Attempts.isAlive

/** The services of runs: what agents do, from a start to a result. Nothing starts before what a dead server left has ended. */
export const Runs = Layer.mergeAll(
  AgentRegistry.layer,
  OutputArtifacts.layer,
  Recoveries.layer,
  RunEvents.layer,
  Watchdog.layer
).pipe(
  Layer.provideMerge(RunControl.layer),
  Layer.provideMerge(Launches.layer),
  Layer.provideMerge(ManagedRuns.layer),
  Layer.provideMerge(Layer.mergeAll(CommandAdapter.layer, Completions.layer, RuntimeManifests.layer)),
  Layer.provideMerge(Layer.merge(Processes.layer, RunJournals.layer)),
  Layer.provide(Gates)
)

/** How long runs keep what is over. */
export const runsRetentions: ReadonlyArray<Retention> = [runEventRetention, artifactRetention]
