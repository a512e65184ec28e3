import { Effect } from "effect"
import * as Profiles from "../../board/agent-profiles/Units.ts"
import * as Agents from "../../board/agents-config/Units.ts"
import { checkpointOf } from "../../board/checkpoints/Units.ts"
import { autoCommit, enforcement } from "../../board/settings/Units.ts"
import { TaskArchived, type TaskNotFound } from "../../board/tasks/Errors.ts"
import { requireTask } from "../../board/tasks/Units.ts"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { isAdapted } from "../adapters/Adapter.ts"
import { documentsOf, findAttempt } from "../attempts/Units.ts"
import type { LaunchManifest } from "../documents/LaunchManifest.ts"
import type { AgentRuntime } from "../hosts/AgentRuntime.ts"
import type { ChosenAgent } from "../routing/ChooseAgent.ts"
import { type Workspace, workspaceOf } from "../workspace/Workspace.ts"
import type { Launch, LaunchInput, Objection } from "./CompileLaunch.ts"
import { LaunchRefused, ParentActive, ParentUnknown, ProfileUnknown } from "./Errors.ts"
import type { DependencyCircuit, Wish } from "./LaunchRequest.ts"

/** All that a launch is compiled from, as the board has it at one moment. */
export interface Gathered {
  readonly input: LaunchInput
  readonly workspace: Workspace
  /** What the parent was launched with, when one is continued. */
  readonly parent: LaunchManifest | undefined
}

/** Why a launch cannot even be compiled. */
export type GatherRefused = TaskNotFound | TaskArchived | ProfileUnknown | ParentUnknown | ParentActive

/** Reads all that a launch is compiled from, in one read. */
export const gatherLaunch = (
  taskId: string,
  wish: Wish,
  runtime: AgentRuntime,
  { chosenBy }: ChosenAgent
): Effect.Effect<Gathered, GatherRefused, Sql> =>
  Effect.gen(function* () {
    const { task } = yield* requireTask(taskId)
    if (task.archived) return yield* new TaskArchived({ taskId, operation: "start" })
    const { agents } = yield* Agents.current
    const agent = agents.find(({ type }) => type === runtime.agent)
    const profile = yield* profileOf(wish.profileId ?? agent?.profileId)
    const parent = yield* parentOf(taskId, wish.parentAttemptId)
    const checkpoint = yield* checkpointOf(taskId, yield* now)
    const gates = yield* enforcement
    return {
      parent,
      workspace: yield* workspaceOf(task),
      input: {
        task,
        wish,
        runtime,
        chosenBy,
        agent,
        profile,
        checkpoint: checkpoint?.state,
        objections: objectionsTo(runtime, profile, wish.sandboxPresetId ?? agent?.sandboxPresetId),
        autoCommit: yield* autoCommit,
        gates: Object.entries(gates ?? {}).flatMap(([gate, mode]) =>
          mode === false || mode === "off" ? [] : [gate]
        )
      }
    }
  })

const profileOf = (profileId: string | undefined) =>
  Effect.gen(function* () {
    if (profileId === undefined) return undefined
    const profile = yield* Profiles.find(profileId)
    if (profile === undefined) return yield* new ProfileUnknown({ profileId })
    const { enabled, id, preferences, prompt } = profile
    return { id, enabled, prompt, ...(preferences.model === undefined ? {} : { model: preferences.model }) }
  })

/** What stands against a launch as it was asked for, whatever its runtime can do. */
const objectionsTo = (
  { agent, enabled, provider }: AgentRuntime,
  profile: LaunchInput["profile"],
  sandboxPresetId: string | undefined
): ReadonlyArray<Objection> => {
  const faults: ReadonlyArray<readonly [boolean, Objection]> = [
    [
      !enabled,
      {
        code: "agent-disabled",
        message: `Agent ${agent} is disabled`,
        remediation: "Enable it, or choose another agent"
      }
    ],
    [
      !isAdapted(provider),
      {
        code: "adapter-missing",
        message: `Agent ${agent} is to be run by ${provider}, and nothing here can do that yet`,
        remediation: "Configure it with the provider command, or choose another agent"
      }
    ],
    [
      profile?.enabled === false,
      {
        code: "profile-disabled",
        message: `Profile ${profile?.id} is disabled`,
        remediation: "Enable it, or start without a profile"
      }
    ],
    // Who asks for a sandbox is not started without it: there is no preset yet that could be enforced.
    [
      sandboxPresetId !== undefined,
      {
        code: "sandbox-unknown",
        message: `Sandbox preset ${sandboxPresetId} does not exist`,
        remediation: "Start without one, or take it out of the agent's configuration"
      }
    ]
  ]
  return faults.flatMap(([holds, objection]) => (holds ? [objection] : []))
}

const parentOf = (taskId: string, parentAttemptId: string | undefined) =>
  Effect.gen(function* () {
    if (parentAttemptId === undefined) return undefined
    const parent = yield* findAttempt(parentAttemptId)
    if (parent === undefined) return yield* new ParentUnknown({ parentAttemptId })
    if (parent.taskId === taskId && parent.state !== "ended")
      return yield* new ParentActive({ parentAttemptId })
    return (yield* documentsOf(parentAttemptId))?.launchManifest
  })

/** Refuses what stands against a launch, with all that ruling 78 names. */
export const refuseBlocked = (
  { objections, wish }: LaunchInput,
  { blockers, runtimeManifest }: Launch
): Effect.Effect<void, LaunchRefused> => {
  if (blockers.length === 0) return Effect.void
  const { digest, provider } = runtimeManifest
  return Effect.fail(
    new LaunchRefused({
      requiredCapabilities: wish.requiredRuntimeCapabilities ?? [],
      reasons: blockers.map(({ message }) => message),
      manifest: { provider, digest },
      remediation:
        objections[0]?.remediation ??
        "Choose an agent whose runtime manifest shows these capabilities as supported (POST /agents/hosts/preview), or ask for less",
      blockers
    })
  )
}

/** What stands against a launch whose provider takes nothing now: an operator blocks it, or it failed too often. */
export const objectionOf = ({ key, override, state }: DependencyCircuit): ReadonlyArray<Objection> => {
  if (override === "block") {
    return [
      {
        code: "circuit-open",
        message: `Calls over ${key} are blocked by an operator`,
        remediation: "Lift the block, or choose another agent"
      }
    ]
  }
  return state === "open" && override !== "allow"
    ? [
        {
          code: "circuit-open",
          message: `${key} rests after failures`,
          remediation: "Try again later, or choose another agent"
        }
      ]
    : []
}

/** What stands against a launch where an agent of an earlier run, or of another server, still works. */
export const workspaceOccupied: Objection = {
  code: "workspace-occupied",
  message: "Processes of an interrupted run still work in the workspace",
  remediation: "End them, or the server that they belong to; the log names them"
}
