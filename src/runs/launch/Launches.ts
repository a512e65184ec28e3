import type * as FileSystem from "@effect/platform/FileSystem"
import { Context, Effect, Layer } from "effect"
import type { StatusRefused, TaskFull } from "../../board/tasks/Errors.ts"
import { StatusRules } from "../../board/tasks/StatusRules.ts"
import { requireTask, type WriteRefused } from "../../board/tasks/Units.ts"
import type { ActorContext } from "../../kernel/Actor.ts"
import { digest, sha256 } from "../../kernel/Digest.ts"
import type { Git } from "../../kernel/git/Git.ts"
import { newId } from "../../kernel/Ids.ts"
import { parseStored } from "../../kernel/Json.ts"
import * as Circuit from "../../kernel/outbound/Circuit.ts"
import { Circuits } from "../../kernel/outbound/Circuits.ts"
import { iso, now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import { activeOf, keepLaunch, launchBy } from "../attempts/Units.ts"
import { RuntimeManifests } from "../hosts/RuntimeManifests.ts"
import { captureBaseline } from "../workspace/CaptureBaseline.ts"
import type { WorkspaceUnreadable } from "../workspace/Errors.ts"
import { pathOf } from "../workspace/Workspace.ts"
import { chooseAgent } from "./ChooseAgent.ts"
import { compileEnvelope, compileLaunch, documentsOf, driftOf, type Launch } from "./CompileLaunch.ts"
import { AgentUnknown, AttemptActive, LaunchKeyReused, LaunchRefused, type NoAgentChosen } from "./Errors.ts"
import { type Gathered, type GatherRefused, gatherLaunch } from "./GatherLaunch.ts"
import type { DependencyCircuit, LaunchPreview, Started, Wish } from "./LaunchRequest.ts"
import { startAttempt } from "./StartAttempt.ts"

/** What the circuit of an agent's provider is called (spec 1-core, Health). */
export const providerCircuit = (agent: string): string => `provider:${agent}`

/** Why a launch can't be compiled. */
type CompileRefused = GatherRefused | AgentUnknown | NoAgentChosen

/** Why a start starts nothing. */
export type StartRefused =
  | CompileRefused
  | WorkspaceUnreadable
  | AttemptActive
  | LaunchKeyReused
  | WriteRefused
  | StatusRefused
  | TaskFull

/** Starts agents on tasks (spec 3-runs, Agent registry and external lifecycle). */
export interface LaunchesService {
  /** What a start would launch now, and what stands against it. It creates nothing. */
  readonly preview: (
    taskId: string,
    wish: Wish,
    by: ActorContext
  ) => Effect.Effect<LaunchPreview, CompileRefused>
  /**
   * Launches an attempt. With a key it counts once for its task, for good: the same start again is answered with what
   * the first one was, also after a restart.
   */
  readonly start: (
    taskId: string,
    wish: Wish,
    key: string | undefined,
    by: ActorContext
  ) => Effect.Effect<Started, StartRefused>
}

export class Launches extends Context.Tag("muster/Launches")<Launches, LaunchesService>() {
  static readonly layer = Layer.effect(
    Launches,
    Effect.gen(function* () {
      const storage = yield* Storage
      const rules = yield* StatusRules
      const runtimes = yield* RuntimeManifests
      const circuits = yield* Circuits
      const tools = yield* Effect.context<Git | FileSystem.FileSystem>()

      const gather = (taskId: string, wish: Wish, by: ActorContext) =>
        Effect.gen(function* () {
          const chosen = yield* storage.read(
            Effect.zipRight(requireTask(taskId), chooseAgent(taskId, wish.agent, by))
          )
          const runtime = yield* runtimes.of(chosen.agent)
          if (runtime === undefined) return yield* new AgentUnknown({ agent: chosen.agent })
          return yield* storage.read(gatherLaunch(taskId, wish, runtime, chosen))
        })

      /** The circuit of an agent's provider: an operator can block it before anything has failed. */
      const circuitOf = (agent: string): Effect.Effect<DependencyCircuit> =>
        Effect.gen(function* () {
          const key = providerCircuit(agent)
          yield* circuits.register(key)
          const at = yield* now
          const found = (yield* circuits.all).find((circuit) => circuit.key === key) ?? Circuit.fresh(key)
          const override = Circuit.overrideOf(found, at)?.mode
          return { key, state: Circuit.stateOf(found, at), ...(override === undefined ? {} : { override }) }
        })

      const compile = (gathered: Gathered, attemptId?: string) =>
        Effect.map(circuitOf(gathered.input.runtime.agent), (circuit) => {
          const launch = compileLaunch(gathered.input, attemptId)
          return { circuit, launch: isShut(circuit) ? withBlocker(launch, circuit) : launch }
        })

      return Launches.of({
        preview: Effect.fn("Launches.preview")(function* (taskId, wish, by) {
          const gathered = yield* gather(taskId, wish, by)
          const { circuit, launch } = yield* compile(gathered)
          const { blockers, launchManifest, warnings } = launch
          const { parent } = gathered
          const drift = parent === undefined ? [] : driftOf(parent, launchManifest)
          return {
            manifest: launchManifest,
            dependencyCircuits: [circuit],
            blockers,
            warnings,
            ...(wish.parentAttemptId === undefined ? {} : { parentAttemptId: wish.parentAttemptId, drift })
          }
        }),
        start: Effect.fn("Launches.start")(function* (taskId, wish, key, by) {
          const once = key === undefined ? undefined : { hash: sha256(key), fingerprint: digest(wish) }
          const answered = yield* storage.read(knownStart(taskId, once))
          if (answered !== undefined) return answered
          yield* storage.read(requireIdle(taskId))
          const gathered = yield* gather(taskId, wish, by)
          const { input, workspace } = gathered
          const id = yield* newId("attempt")
          const { launch } = yield* compile(gathered, id)
          yield* refuseBlocked(gathered, launch)
          const baseline = yield* Effect.provide(captureBaseline(taskId, workspace), tools)
          const path = pathOf(workspace)
          const managed = input.runtime.provider !== "gateway"
          const envelope = compileEnvelope(input, launch, { id, managed }, { path, baseline })
          const unit = Effect.gen(function* () {
            const known = yield* knownStart(taskId, once)
            if (known !== undefined) return known
            yield* requireIdle(taskId)
            const attempt = yield* startAttempt(
              rules,
              {
                id,
                taskId,
                agent: input.runtime.agent,
                provider: input.runtime.provider,
                source: "manual",
                parentAttemptId: wish.parentAttemptId ?? null,
                workspace: path,
                documents: documentsOf(launch, envelope),
                request: JSON.stringify(wish)
              },
              { at: yield* now, by, queued: undefined }
            )
            const started = startedOf(attempt)
            if (once !== undefined) {
              const { fingerprint, hash } = once
              yield* keepLaunch(taskId, hash, id, { fingerprint, answer: JSON.stringify(started) })
            }
            return started
          })
          return yield* storage.write(unit)
        })
      })
    })
  )
}

/** The key of a start, as it is stored, and what it was for. */
interface Once {
  readonly hash: string
  readonly fingerprint: string
}

/** What a start with this key was answered; a start without one was never answered before. */
const knownStart = (
  taskId: string,
  once: Once | undefined
): Effect.Effect<Started | undefined, LaunchKeyReused, Sql> =>
  Effect.gen(function* () {
    if (once === undefined) return undefined
    const known = yield* launchBy(taskId, once.hash)
    if (known === undefined) return undefined
    if (known.fingerprint !== once.fingerprint) return yield* new LaunchKeyReused({ taskId })
    return parseStored<Started>(known.answer)
  })

const requireIdle = (taskId: string): Effect.Effect<void, AttemptActive, Sql> =>
  Effect.flatMap(activeOf(taskId), (active) =>
    active === undefined ? Effect.void : new AttemptActive({ taskId, attemptId: active.id })
  )

const refuseBlocked = (
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
const isShut = ({ override, state }: DependencyCircuit): boolean =>
  override === "block" || (state === "open" && override !== "allow")

const withBlocker = (launch: Launch, { key, override }: DependencyCircuit): Launch => ({
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

const startedOf = ({
  agent,
  bindings,
  id,
  parentAttemptId,
  provider,
  startedAt,
  taskId
}: Attempt): Started => ({
  taskId,
  attemptId: id,
  agent,
  provider,
  status: "running",
  startedAt: iso(startedAt ?? 0),
  providerRuntimeManifestDigest: bindings?.runtimeManifest ?? "",
  runLaunchManifestDigest: bindings?.launchManifest ?? "",
  taskEnvelopeDigest: bindings?.envelope ?? "",
  ...(parentAttemptId === null ? {} : { parentAttemptId })
})
