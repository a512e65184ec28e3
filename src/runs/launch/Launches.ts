import type * as FileSystem from "@effect/platform/FileSystem"
import { Context, Effect, Layer } from "effect"
import type { StatusRefused, TaskFull } from "../../board/tasks/Errors.ts"
import { StatusRules } from "../../board/tasks/StatusRules.ts"
import { requireTask, type WriteRefused } from "../../board/tasks/Units.ts"
import type { LaunchSource } from "../../governance/capacity/AdmissionRequest.ts"
import type { AdmissionOverload, AdmissionPolicyDenied } from "../../governance/queue/Errors.ts"
import { Standing } from "../../identity/Standing.ts"
import { type ActorContext, system } from "../../kernel/Actor.ts"
import type { Git } from "../../kernel/git/Git.ts"
import { newId } from "../../kernel/Ids.ts"
import * as Circuit from "../../kernel/outbound/Circuit.ts"
import { Circuits } from "../../kernel/outbound/Circuits.ts"
import { now } from "../../kernel/Time.ts"
import type { Sql } from "../../storage/Sql.ts"
import { Storage } from "../../storage/Storage.ts"
import * as Wakes from "../../storage/Wakes.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import { beginning, starting } from "../attempts/Units.ts"
import { Completions } from "../completion/Completions.ts"
import { providerCircuit } from "../hosts/AgentRuntime.ts"
import { RuntimeManifests } from "../hosts/RuntimeManifests.ts"
import { ManagedRuns } from "../managed/ManagedRuns.ts"
import { Processes } from "../processes/Processes.ts"
import { chooseAgent } from "../routing/ChooseAgent.ts"
import type { NoAgentChosen } from "../routing/Errors.ts"
import { captureBaseline } from "../workspace/CaptureBaseline.ts"
import type { WorkspaceUnreadable } from "../workspace/Errors.ts"
import { pathOf } from "../workspace/Workspace.ts"
import { admitLaunch } from "./AdmitLaunch.ts"
import { compileEnvelope, compileLaunch, documentsOf, driftOf } from "./CompileLaunch.ts"
import { beginWaiting } from "./Dispatcher.ts"
import { AgentUnknown, type AttemptActive, type LaunchKeyReused, type LaunchRefused } from "./Errors.ts"
import {
  type Gathered,
  type GatherRefused,
  gatherLaunch,
  objectionOf,
  refuseBlocked,
  workspaceOccupied
} from "./GatherLaunch.ts"
import { keepStart, knownStart, onceFor, requireIdle } from "./LaunchKey.ts"
import type { DependencyCircuit, Launched, LaunchPreview, Wish } from "./LaunchRequest.ts"
import {
  applicantOf,
  enqueueAttempt,
  type Prepared,
  startedOf,
  startingOf,
  wishOf
} from "./PreparedLaunch.ts"
import { startAttempt } from "./StartAttempt.ts"

/** Why a launch can't be compiled. */
type CompileRefused = GatherRefused | AgentUnknown | NoAgentChosen

/** Why a start starts nothing. */
export type StartRefused =
  | CompileRefused
  | LaunchRefused
  | WorkspaceUnreadable
  | AttemptActive
  | LaunchKeyReused
  | AdmissionOverload
  | AdmissionPolicyDenied
  | WriteRefused
  | StatusRefused
  | TaskFull

/** Whose a launch is that the service makes by itself, and what is done in the unit that launches it. */
export interface Origin<E> {
  readonly source: LaunchSource
  /** Whether it is still wanted: when this fails nothing is launched. */
  readonly require: Effect.Effect<void, E, Sql>
  /** Notes what was launched, so that it is launched once. */
  readonly note: (launched: Launched) => Effect.Effect<void, never, Sql>
}

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
  ) => Effect.Effect<Launched, StartRefused>
  /**
   * Launches an attempt that nobody asks for over the interface, in the name of whoever it is for. A launch and its note
   * are one: a server that dies leaves both behind, or neither.
   */
  readonly launch: <E>(
    taskId: string,
    wish: Wish,
    origin: Origin<E>,
    by: ActorContext
  ) => Effect.Effect<Launched, StartRefused | E>
}

export class Launches extends Context.Tag("muster/Launches")<Launches, LaunchesService>() {
  static readonly layer = Layer.scoped(
    Launches,
    Effect.gen(function* () {
      const storage = yield* Storage
      const rules = yield* StatusRules
      const runtimes = yield* RuntimeManifests
      const circuits = yield* Circuits
      const standing = yield* Standing
      const managed = yield* ManagedRuns
      const processes = yield* Processes
      const completions = yield* Completions
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
          const circuit = yield* circuits.register(key)
          const at = yield* now
          const override = Circuit.overrideOf(circuit, at)?.mode
          return { key, state: Circuit.stateOf(circuit, at), ...(override === undefined ? {} : { override }) }
        })

      const compile = ({ input: gathered, workspace }: Gathered, attemptId?: string) =>
        Effect.gen(function* () {
          const path = pathOf(workspace)
          const circuit = yield* circuitOf(gathered.runtime.agent)
          const isOccupied = path !== null && (yield* processes.isOccupied(path))
          const objections = [
            ...gathered.objections,
            ...objectionOf(circuit),
            ...(isOccupied ? [workspaceOccupied] : [])
          ]
          const input = { ...gathered, objections }
          return { circuit, input, launch: compileLaunch(input, attemptId) }
        })

      /** Compiles a launch and captures what its workspace is: all that takes time, before the unit that starts it. */
      const prepare = (id: string, taskId: string, wish: Wish, by: ActorContext) =>
        Effect.gen(function* () {
          const gathered = yield* gather(taskId, wish, by)
          const { workspace } = gathered
          const { input, launch } = yield* compile(gathered, id)
          yield* refuseBlocked(input, launch)
          const baseline = yield* Effect.provide(captureBaseline(taskId, workspace), tools)
          const path = pathOf(workspace)
          const managed = input.runtime.provider !== "gateway"
          const envelope = compileEnvelope(input, launch, { id, managed }, { path, baseline })
          const prepared: Prepared = { id, input, path, launch, documents: documentsOf(launch, envelope) }
          return prepared
        })

      /** Starts an attempt when there is room, else lets it wait: in one unit with what keeps it from being started twice. */
      const admitted = (prepared: Prepared, wish: Wish, source: LaunchSource, by: ActorContext) =>
        Effect.gen(function* () {
          const room = yield* admitLaunch(applicantOf(prepared, wish, source), by)
          if (room._tag === "Queued") {
            return { answer: yield* enqueueAttempt(prepared, wish, source, room, by), attempt: undefined }
          }
          const attempt = yield* startAttempt(rules, startingOf(prepared, wish, source), {
            at: yield* now,
            by,
            queued: undefined
          })
          return { answer: startedOf(attempt), attempt }
        })

      /** Hands an attempt that runs to whoever supervises its process; an agent that works elsewhere has none here. */
      const runAgent = ({ documents, input: { agent }, launch: { prompt } }: Prepared, attempt: Attempt) =>
        agent === undefined || attempt.provider === "gateway"
          ? Effect.void
          : managed.begin({ attempt, agent, documents, prompt })

      /** What a unit begins is supervised, though whoever asked for it goes away meanwhile. */
      const carryOut = <A extends { readonly attempt: Attempt | undefined }, E>(
        prepared: Prepared,
        unit: Effect.Effect<A, E, Sql>
      ) =>
        Effect.uninterruptible(
          Effect.tap(storage.write(unit), ({ attempt }) =>
            attempt === undefined ? Effect.void : runAgent(prepared, attempt)
          )
        )

      /** Launches on a task on which nothing runs, by a unit that starts the attempt or finds that it is started. */
      const launched = <E>(
        taskId: string,
        wish: Wish,
        by: ActorContext,
        unit: (prepared: Prepared) => Effect.Effect<Begun, E, Sql>
      ) =>
        Effect.gen(function* () {
          yield* storage.read(requireIdle(taskId))
          const prepared = yield* prepare(yield* newId("attempt"), taskId, wish, by)
          const { answer } = yield* carryOut(prepared, unit(prepared))
          return answer
        })

      /** Lets an attempt run that has waited: it is compiled anew, for the board has gone on. */
      const beginOne = (attempt: Attempt) =>
        Effect.gen(function* () {
          const { id, requestedBy, taskId } = attempt
          const by = yield* standing.now(requestedBy)
          const wish = yield* storage.read(wishOf(id))
          const prepared = yield* prepare(id, taskId, { ...wish, agent: attempt.agent }, by)
          yield* carryOut(
            prepared,
            Effect.map(beginWaiting(rules, prepared, wish, by), (begun) => ({ attempt: begun }))
          )
        }).pipe(
          Effect.catchAll((refusal) =>
            completions.finish(
              attempt.id,
              { claims: null, terminalSource: "cancel", reason: `It could not begin: ${whyNot(refusal)}` },
              system
            )
          ),
          Effect.catchAllCause((cause) =>
            Effect.logError("An attempt that waited could not begin", cause).pipe(
              Effect.annotateLogs({ attemptId: attempt.id })
            )
          )
        )

      yield* Wakes.startDue("attempts", [beginning], () =>
        Effect.gen(function* () {
          yield* Effect.forEach(yield* storage.read(starting), beginOne, { concurrency: 4, discard: true })
          return undefined
        })
      )

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
          const once = onceFor(key, wish)
          const answered = yield* storage.read(knownStart(taskId, once))
          if (answered !== undefined) return answered
          return yield* launched(taskId, wish, by, (prepared) =>
            Effect.gen(function* () {
              const known = yield* knownStart(taskId, once)
              if (known !== undefined) return { answer: known, attempt: undefined }
              yield* requireIdle(taskId)
              const made = yield* admitted(prepared, wish, "manual", by)
              yield* keepStart(once, made.answer)
              return made
            })
          )
        }),
        launch: Effect.fn("Launches.launch")(function* (taskId, wish, { note, require, source }, by) {
          return yield* launched(taskId, wish, by, (prepared) =>
            Effect.gen(function* () {
              yield* require
              yield* requireIdle(taskId)
              const made = yield* admitted(prepared, wish, source, by)
              yield* note(made.answer)
              return made
            })
          )
        })
      })
    })
  )
}

/** Why an attempt that has waited does not begin. */
const whyNot = (refusal: StartRefused): string =>
  refusal._tag === "LaunchRefused" ? refusal.reasons.join("; ") : refusal._tag

/** What a launch is answered, with the attempt when it runs at once. */
interface Begun {
  readonly answer: Launched
  readonly attempt: Attempt | undefined
}
