import { Effect } from "effect"
import * as Profiles from "../../board/agent-profiles/Units.ts"
import * as Agents from "../../board/agents-config/Units.ts"
import { checkpointOf } from "../../board/checkpoints/Units.ts"
import { autoCommit, enforcement } from "../../board/settings/Units.ts"
import { TaskArchived, type TaskNotFound } from "../../board/tasks/Errors.ts"
import { requireTask } from "../../board/tasks/Units.ts"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { documentsOf, findAttempt } from "../attempts/Units.ts"
import type { LaunchManifest } from "../documents/LaunchManifest.ts"
import type { AgentRuntime } from "../hosts/AgentRuntime.ts"
import { type Workspace, workspaceOf } from "../workspace/Workspace.ts"
import type { ChosenAgent } from "./ChooseAgent.ts"
import type { Launch, LaunchInput } from "./CompileLaunch.ts"
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
export type GatherRefused =
  | TaskNotFound
  | TaskArchived
  | ProfileUnknown
  | ParentUnknown
  | ParentActive
  | LaunchRefused

/** A refusal whose one reason is given. */
export const refused = (
  { manifest }: Pick<AgentRuntime, "manifest">,
  code: string,
  message: string,
  remediation: string
): LaunchRefused =>
  new LaunchRefused({
    requiredCapabilities: [],
    reasons: [message],
    manifest: { provider: manifest.provider, digest: manifest.digest },
    remediation,
    blockers: [{ code, message }]
  })

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
    if (!runtime.enabled) {
      const message = `Agent ${runtime.agent} is disabled`
      return yield* refused(runtime, "agent-disabled", message, "Enable it, or choose another agent")
    }
    const { agents } = yield* Agents.current
    const agent = agents.find(({ type }) => type === runtime.agent)
    yield* refuseSandbox(wish.sandboxPresetId ?? agent?.sandboxPresetId, runtime)
    const profile = yield* profileOf(wish.profileId ?? agent?.profileId, runtime)
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
        autoCommit: yield* autoCommit,
        gates: Object.entries(gates ?? {}).flatMap(([gate, mode]) =>
          mode === false || mode === "off" ? [] : [gate]
        )
      }
    }
  })

const profileOf = (profileId: string | undefined, runtime: AgentRuntime) =>
  Effect.gen(function* () {
    if (profileId === undefined) return undefined
    const profile = yield* Profiles.find(profileId)
    if (profile === undefined) return yield* new ProfileUnknown({ profileId })
    if (!profile.enabled) {
      const message = `Profile ${profileId} is disabled`
      return yield* refused(runtime, "profile-disabled", message, "Enable it, or start without a profile")
    }
    const { model } = profile.preferences
    return { id: profile.id, prompt: profile.prompt, ...(model === undefined ? {} : { model }) }
  })

/** Who asks for a sandbox is not started without it: there is no preset yet that could be enforced. */
const refuseSandbox = (presetId: string | undefined, runtime: AgentRuntime) =>
  presetId === undefined
    ? Effect.void
    : refused(
        runtime,
        "sandbox-unknown",
        `Sandbox preset ${presetId} does not exist`,
        "Start without one, or take it out of the agent's configuration"
      )

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
  { input }: Gathered,
  { blockers, runtimeManifest }: Launch
): Effect.Effect<void, LaunchRefused> => {
  if (blockers.length === 0) return Effect.void
  const { digest, provider } = runtimeManifest
  return Effect.fail(
    new LaunchRefused({
      requiredCapabilities: input.wish.requiredRuntimeCapabilities ?? [],
      reasons: blockers.map(({ message }) => message),
      manifest: { provider, digest },
      remediation:
        "Choose an agent whose runtime manifest shows these capabilities as supported (POST /agents/hosts/preview), or ask for less",
      blockers
    })
  )
}

/** Whether nothing goes to a provider now: an operator blocks it, or it failed too often. */
export const isShut = ({ override, state }: DependencyCircuit): boolean =>
  override === "block" || (state === "open" && override !== "allow")

/** A launch whose provider takes nothing now. */
export const withBlocker = (launch: Launch, { key, override }: DependencyCircuit): Launch => ({
  ...launch,
  blockers: [
    ...launch.blockers,
    {
      code: "circuit-open",
      message:
        override === "block" ? `Calls over ${key} are blocked by an operator` : `${key} rests after failures`
    }
  ]
})
