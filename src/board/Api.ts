import * as HttpApi from "@effect/platform/HttpApi"
import { AgentProfilesApi } from "./agent-profiles/Api.ts"
import { AgentStatusApi } from "./agent-status/Api.ts"
import { ConfigApi } from "./agents-config/Api.ts"
import { CeremoniesApi } from "./ceremonies/Api.ts"
import { ChatApi } from "./chat/Api.ts"
import { CheckpointsApi } from "./checkpoints/Api.ts"
import { CommentsApi } from "./comments/Api.ts"
import { ContextApi } from "./context/Api.ts"
import { DependenciesApi } from "./dependencies/Api.ts"
import { ImportsApi } from "./imports/Api.ts"
import { NextApi } from "./next/Api.ts"
import { ObservationsApi } from "./observations/Api.ts"
import { ProgressApi } from "./progress/Api.ts"
import { ReposApi } from "./repos/Api.ts"
import { SettingsApi } from "./settings/Api.ts"
import { SquadApi } from "./squad/Api.ts"
import { TasksApi } from "./tasks/Api.ts"
import { TeamRosterApi } from "./team-roster/Api.ts"
import { TemplatesApi } from "./templates/Api.ts"
import { TimeApi } from "./time/Api.ts"
import { WorktreesApi } from "./worktrees/Api.ts"

/** The groups of the board. */
export const BoardApi = HttpApi.make("muster")
  .add(AgentProfilesApi)
  .add(AgentStatusApi)
  .add(CeremoniesApi)
  .add(ChatApi)
  .add(CheckpointsApi)
  .add(CommentsApi)
  .add(ConfigApi)
  .add(ContextApi)
  .add(DependenciesApi)
  .add(ImportsApi)
  .add(NextApi)
  .add(ObservationsApi)
  .add(ProgressApi)
  .add(ReposApi)
  .add(SettingsApi)
  .add(SquadApi)
  .add(TasksApi)
  .add(TeamRosterApi)
  .add(TemplatesApi)
  .add(TimeApi)
  .add(WorktreesApi)
