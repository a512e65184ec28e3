import { Cause, Context, Deferred, Effect, Either, Fiber, Layer, Schedule, Schema } from "effect"
import type { AgentConfig } from "../../board/agents-config/AgentConfig.ts"
import { Holders } from "../../governance/Governance.ts"
import type { Founder } from "../../identity/Standing.ts"
import { type ActorContext, system } from "../../kernel/Actor.ts"
import { Circuits } from "../../kernel/outbound/Circuits.ts"
import { Storage } from "../../storage/Storage.ts"
import type { AgentEnd, AgentNotStarted, RunningAgent } from "../adapters/Adapter.ts"
import { CommandAdapter } from "../adapters/CommandAdapter.ts"
import type { Fact } from "../adapters/facts/Fact.ts"
import type { Attempt } from "../attempts/Attempt.ts"
import { type Documents, findAttempt, running } from "../attempts/Units.ts"
import { Completions, type Finish } from "../completion/Completions.ts"
import { Claims } from "../documents/Claims.ts"
import { providerCircuit } from "../hosts/AgentRuntime.ts"
import { RunJournals, type Told } from "../journal/RunJournals.ts"
import { recordUsage } from "../usage/Units.ts"
import { UsageReport } from "../usage/Usage.ts"
import { leaveRunDirectory, makeRunDirectory, runDirectoryOf } from "./RunDirectory.ts"
import { startSweep } from "./SweepRunDirectories.ts"

/** What a run of an agent takes that the service starts itself. */
export interface ManagedRun {
  readonly attempt: Attempt
  readonly agent: AgentConfig
  readonly documents: Documents
  readonly prompt: string
}

/** The runs whose processes this server supervises (spec 3-runs; rulings 24, 59, 85). */
export interface ManagedRunsService {
  /** Starts the agent of an attempt that was just bound. It goes on by itself, to its end. */
  readonly begin: (run: ManagedRun) => Effect.Effect<void>
  /**
   * Ends the process of an attempt with all that it started, and waits for its result while the store takes it; false
   * when it has none here.
   */
  readonly stop: (attemptId: string, by: ActorContext) => Effect.Effect<boolean>
}

/** A run that this server supervises: what stops it, once it has started, and its end. */
interface Supervised {
  readonly fiber: Fiber.RuntimeFiber<void>
  readonly agent: Deferred.Deferred<RunningAgent>
  /** Who told it to stop. */
  stoppedBy: ActorContext | undefined
}

const decodeUsage = Schema.decodeUnknownEither(UsageReport)
const decodeClaims = Schema.decodeUnknownEither(Claims)

/** What a run claims with its last line. Members that are not well-formed are left out as a whole. */
const claimsOf = ({ result }: AgentEnd): Finish["claims"] => {
  if (result === undefined) return null
  const { members, status, summary } = result
  const said = summary === undefined ? { status } : { status, summary }
  return Either.getOrElse(decodeClaims({ ...members, ...said }), () =>
    Either.getOrElse(decodeClaims(said), () => ({ status }))
  )
}

/** How long a stop waits for the end to be stored, once nothing runs any more: then whoever stops hears of it. */
const stopPatience = "10 seconds"

/** How long is waited before an end is written again that the store did not take. */
const pauses = Schedule.exponential("250 millis").pipe(Schedule.union(Schedule.spaced("30 seconds")))

const exitOf = ({ ending }: AgentEnd): NonNullable<Finish["exit"]> =>
  ending._tag === "Exited" ? { code: ending.code, signal: null } : { code: null, signal: ending.signal }

/** Who a run counts as: whoever asked for it. */
const actorOf = (founder: Founder): ActorContext => ({
  ...founder,
  permissions: new Set(founder.permissions)
})

export class ManagedRuns extends Context.Tag("muster/ManagedRuns")<ManagedRuns, ManagedRunsService>() {
  /** What a server before left running is over, and said to be, before anything else is asked of it. */
  static readonly layer = Layer.scoped(
    ManagedRuns,
    Effect.gen(function* () {
      const storage = yield* Storage
      const adapter = yield* CommandAdapter
      const journals = yield* RunJournals
      const completions = yield* Completions
      const holders = yield* Holders
      const circuits = yield* Circuits
      const scope = yield* Effect.scope
      const supervised = new Map<string, Supervised>()

      /** A fact as the journal takes it: what a run uses counts with the very event that tells it. */
      const toldOf =
        (attempt: Attempt, by: ActorContext) =>
        (fact: Fact): Told => {
          if (fact.kind !== "tokens") return fact
          const usage = decodeUsage(fact.payload)
          return Either.isLeft(usage) ? fact : { ...fact, also: recordUsage(attempt, usage.right, by) }
        }

      const take = (attempt: Attempt, by: ActorContext) => (facts: ReadonlyArray<Fact>) =>
        Effect.orDie(journals.append(attempt.id, facts.map(toldOf(attempt, by))))

      /** Starts the agent, waits for its end, and gives how it ended. */
      const work = (
        { agent, attempt, documents, prompt }: ManagedRun,
        started: Deferred.Deferred<RunningAgent>
      ): Effect.Effect<Finish> =>
        Effect.scoped(
          Effect.gen(function* () {
            yield* holders.hold(attempt.id)
            const directory = yield* makeRunDirectory(storage.directory, attempt.id, documents)
            const by = actorOf(attempt.requestedBy)
            const { model } = documents.launchManifest.runtime
            const begun = adapter.begin(
              {
                taskId: attempt.taskId,
                attemptId: attempt.id,
                command: agent.command ?? "",
                ...(agent.args === undefined ? {} : { args: agent.args }),
                ...(model === null ? {} : { model }),
                passthroughEnv: agent.passthroughEnv ?? [],
                workingDirectory: attempt.workspace ?? directory.scratch,
                runDirectory: directory.path,
                prompt
              },
              take(attempt, by)
            )
            const running = yield* circuits.protect<RunningAgent, AgentNotStarted>(
              providerCircuit(attempt.agent),
              (exit) => (exit._tag === "Failure" ? "not-started" : undefined)
            )(begun)
            yield* Deferred.succeed(started, running)
            const end = yield* running.ended
            yield* leaveRunDirectory(directory)
            return {
              claims: end.wasStopped ? null : claimsOf(end),
              terminalSource: end.wasStopped ? ("stop" as const) : ("process" as const),
              exit: exitOf(end)
            }
          })
        ).pipe(
          Effect.catchAll(({ message }) =>
            Effect.succeed({ claims: null, terminalSource: "process" as const, reason: message })
          ),
          // A run that nobody supervises any more is over: it must not hold its task, and its place, for good.
          Effect.catchAllDefect((defect) =>
            Effect.as(Effect.logError(`The run of attempt ${attempt.id} broke off`, defect), {
              claims: null,
              terminalSource: "process" as const,
              reason: "The server failed while it ran"
            })
          )
        )

      /** Writes an end down, and does not give up: a disk that is full has room again some time. */
      const settleOne = (id: string, finish: Finish, by: ActorContext) =>
        completions.finish(id, finish, by).pipe(
          Effect.sandbox,
          Effect.tapError((cause) =>
            Cause.isInterruptedOnly(cause)
              ? Effect.void
              : Effect.logError("The end of a run could not be stored", cause).pipe(
                  Effect.annotateLogs({ attemptId: id })
                )
          ),
          Effect.retry({ while: (cause) => !Cause.isInterruptedOnly(cause), schedule: pauses }),
          Effect.unsandbox
        )

      const supervise = (run: ManagedRun, started: Deferred.Deferred<RunningAgent>) =>
        Effect.gen(function* () {
          const { id, requestedBy } = run.attempt
          const current = yield* storage.read(findAttempt(id))
          if (current?.state !== "running") return
          const finish = yield* work(run, started)
          const by = supervised.get(id)?.stoppedBy ?? actorOf(requestedBy)
          yield* settleOne(id, finish, by)
        }).pipe(Effect.ensuring(Effect.sync(() => supervised.delete(run.attempt.id))))

      /** What ran when another server died is over: its processes have ended before this one could start any. */
      const settle = Effect.gen(function* () {
        const left = (yield* storage.read(running)).filter(
          ({ id, provider }) => provider !== "gateway" && !supervised.has(id)
        )
        yield* Effect.forEach(
          left,
          ({ id }) => {
            const reason = "The server that ran it ended"
            return Effect.zipRight(
              leaveRunDirectory(runDirectoryOf(storage.directory, id)),
              completions.finish(id, { claims: null, terminalSource: "restart", reason }, system)
            )
          },
          { concurrency: 4, discard: true }
        )
      })
      yield* settle
      yield* startSweep

      return ManagedRuns.of({
        begin: Effect.fn("ManagedRuns.begin")(function* (run) {
          const agent = yield* Deferred.make<RunningAgent>()
          const fiber = yield* Effect.forkIn(
            // It is known before it does anything, so that it can be stopped; and it ends with the server, whoever begins it.
            Effect.interruptible(Effect.zipRight(Effect.yieldNow(), supervise(run, agent))),
            scope
          )
          supervised.set(run.attempt.id, { fiber, agent, stoppedBy: undefined })
        }),
        stop: Effect.fn("ManagedRuns.stop")(function* (attemptId, by) {
          const found = supervised.get(attemptId)
          if (found === undefined) return false
          found.stoppedBy ??= by
          // One that has not started yet is waited for: it starts, or ends, at once.
          const agent = yield* Effect.raceFirst(
            Effect.map(Deferred.await(found.agent), (running) => running.stop),
            Effect.as(Fiber.await(found.fiber), Effect.void)
          )
          yield* agent
          yield* Effect.timeoutOption(Fiber.await(found.fiber), stopPatience)
          return true
        })
      })
    })
  )
}
