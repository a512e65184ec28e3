import { Effect, Layer } from "effect"
import { Authorization } from "../kernel/Authorization.ts"
import { seeing } from "../kernel/Sight.ts"
import type { Broadcast } from "../storage/events/Broadcast.ts"
import type { Subscription } from "../storage/events/Subscription.ts"
import { AgentProfiles } from "./agent-profiles/AgentProfiles.ts"
import { AgentProfilesHttp } from "./agent-profiles/Http.ts"
import { agentStatusBroadcast } from "./agent-status/AgentStatusBroadcast.ts"
import { AgentStatuses } from "./agent-status/AgentStatuses.ts"
import { DelegationWarnings } from "./agent-status/DelegationWarnings.ts"
import { AgentStatusHttp } from "./agent-status/Http.ts"
import { AgentsConfig } from "./agents-config/AgentsConfig.ts"
import { ConfigHttp } from "./agents-config/Http.ts"
import { Programs } from "./agents-config/Programs.ts"
import { Ceremonies } from "./ceremonies/Ceremonies.ts"
import { CeremoniesHttp } from "./ceremonies/Http.ts"
import * as Ceremony from "./ceremonies/Units.ts"
import { chatBroadcast } from "./chat/ChatBroadcast.ts"
import { ChatSessions } from "./chat/ChatSessions.ts"
import { chatSubscription } from "./chat/ChatSubscription.ts"
import { ChatHttp } from "./chat/Http.ts"
import * as Chat from "./chat/Units.ts"
import { Checkpoints } from "./checkpoints/Checkpoints.ts"
import { CheckpointsHttp } from "./checkpoints/Http.ts"
import * as Checkpoint from "./checkpoints/Units.ts"
import { Comments } from "./comments/Comments.ts"
import { CommentsHttp } from "./comments/Http.ts"
import * as Comment from "./comments/Units.ts"
import { ContextHttp } from "./context/Http.ts"
import { TaskContexts } from "./context/TaskContexts.ts"
import { TaskDocuments } from "./context/TaskDocuments.ts"
import { TaskEventFacts } from "./context/TaskEventFacts.ts"
import { Dependencies } from "./dependencies/Dependencies.ts"
import { DependenciesHttp } from "./dependencies/Http.ts"
import { Gates } from "./gates/Gates.ts"
import { ImportsHttp } from "./imports/Http.ts"
import { Imports } from "./imports/Imports.ts"
import { NextHttp } from "./next/Http.ts"
import { NextTasks } from "./next/NextTasks.ts"
import { ObservationsHttp } from "./observations/Http.ts"
import { Observations } from "./observations/Observations.ts"
import * as Observation from "./observations/Units.ts"
import { ProgressHttp } from "./progress/Http.ts"
import { Progress } from "./progress/Progress.ts"
import { ReposHttp } from "./repos/Http.ts"
import { Repos } from "./repos/Repos.ts"
import { enforcement, FeatureSettings } from "./settings/FeatureSettings.ts"
import { SettingsHttp } from "./settings/Http.ts"
import { SquadHttp } from "./squad/Http.ts"
import { squadBroadcast } from "./squad/SquadBroadcast.ts"
import { SquadChat } from "./squad/SquadChat.ts"
import type { AttemptFollowing } from "./tasks/AttemptFollowing.ts"
import { TasksHttp } from "./tasks/Http.ts"
import { boardBroadcast, taskBroadcast } from "./tasks/TaskBroadcast.ts"
import type { TaskRemoval } from "./tasks/TaskRemoval.ts"
import { taskSubscription } from "./tasks/TaskSubscription.ts"
import { Tasks } from "./tasks/Tasks.ts"
import { TeamRosterHttp } from "./team-roster/Http.ts"
import { TeamRosters } from "./team-roster/TeamRosters.ts"
import { TemplatesHttp } from "./templates/Http.ts"
import { Templates } from "./templates/Templates.ts"
import { TimeHttp } from "./time/Http.ts"
import { TimeTracking } from "./time/TimeTracking.ts"
import { WorktreesHttp } from "./worktrees/Http.ts"
import * as Worktree from "./worktrees/Units.ts"
import { Worktrees } from "./worktrees/Worktrees.ts"

/** The handlers of the board, each with the one service that it calls in sight. */
export const BoardHttp = Layer.mergeAll(
  AgentProfilesHttp.pipe(seeing(Authorization, AgentProfiles)),
  AgentStatusHttp.pipe(seeing(Authorization, AgentStatuses)),
  CeremoniesHttp.pipe(seeing(Authorization, Ceremonies)),
  ChatHttp.pipe(seeing(Authorization, ChatSessions)),
  CheckpointsHttp.pipe(seeing(Authorization, Checkpoints)),
  CommentsHttp.pipe(seeing(Authorization, Comments)),
  ConfigHttp.pipe(seeing(Authorization, AgentsConfig)),
  ContextHttp.pipe(seeing(Authorization, TaskContexts)),
  DependenciesHttp.pipe(seeing(Authorization, Dependencies)),
  ImportsHttp.pipe(seeing(Authorization, Imports)),
  NextHttp.pipe(seeing(Authorization, NextTasks)),
  ObservationsHttp.pipe(seeing(Authorization, Observations)),
  ProgressHttp.pipe(seeing(Authorization, Progress)),
  ReposHttp.pipe(seeing(Authorization, Repos)),
  SettingsHttp.pipe(seeing(Authorization, FeatureSettings)),
  SquadHttp.pipe(seeing(Authorization, SquadChat)),
  TasksHttp.pipe(seeing(Authorization, Tasks)),
  TeamRosterHttp.pipe(seeing(Authorization, TeamRosters)),
  TemplatesHttp.pipe(seeing(Authorization, Templates)),
  TimeHttp.pipe(seeing(Authorization, TimeTracking)),
  WorktreesHttp.pipe(seeing(Authorization, Worktrees))
)

/** Delegation reports are warned of while the gate orchestratorDelegation is on. */
const DelegationGate = Layer.succeed(DelegationWarnings, {
  enabled: Effect.map(enforcement, (gates) => gates?.orchestratorDelegation === true)
})

export { ManifestDigests } from "./agents-config/AgentsConfig.ts"
export { WaitingApprovals } from "./context/WaitingApprovals.ts"
export { Gates } from "./gates/Gates.ts"
export { TaskRemovals } from "./tasks/TaskRemoval.ts"
export { claimedUntil } from "./tasks/Units.ts"
export { AttemptLeases } from "./worktrees/AttemptLeases.ts"

/** The services of the board. */
export const Board = Layer.mergeAll(
  AgentProfiles.layer,
  AgentStatuses.layer.pipe(Layer.provide(DelegationGate)),
  AgentsConfig.layer.pipe(Layer.provideMerge(Programs.layer)),
  Ceremonies.layer,
  ChatSessions.layer,
  Checkpoints.layer,
  Comments.layer,
  TaskContexts.layer,
  Dependencies.layer,
  Imports.layer,
  NextTasks.layer.pipe(Layer.provide(Gates)),
  Observations.layer,
  Progress.layer,
  Repos.layer,
  FeatureSettings.layer,
  SquadChat.layer,
  Tasks.layer.pipe(Layer.provide(Gates)),
  TeamRosters.layer,
  Templates.layer,
  TimeTracking.layer,
  Worktrees.layer
)

/** What the board answers to those below it, and what its rooms do when a task is deleted. */
export const BoardAnswers = Layer.merge(TaskDocuments, TaskEventFacts)

export const boardRemovals: ReadonlyArray<TaskRemoval> = [
  Ceremony.taskRemoval,
  Chat.taskRemoval,
  Checkpoint.taskRemoval,
  Comment.taskRemoval,
  Observation.taskRemoval,
  Worktree.taskRemoval
]

/** What clients of the live stream can follow of the board, and with a task of what agents do at it. */
export const boardSubscriptions = (attempts: AttemptFollowing): ReadonlyArray<Subscription> => [
  taskSubscription(attempts),
  chatSubscription
]

/** What the board tells the live stream. */
export const boardBroadcasts: ReadonlyArray<Broadcast> = [
  agentStatusBroadcast,
  boardBroadcast,
  chatBroadcast,
  squadBroadcast,
  taskBroadcast
]
