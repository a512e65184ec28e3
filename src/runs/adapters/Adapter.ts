import { Data, type Effect, type Redacted, type Scope } from "effect"
import type { AgentProvider } from "../../board/agents-config/AgentConfig.ts"
import type { Ending } from "../../kernel/process/Child.ts"
import type { ProcessIdentity } from "../../kernel/process/Identity.ts"
import type { Fact } from "./facts/Fact.ts"
import type { ResultClaim } from "./facts/ResultClaim.ts"

/** All that it takes to start an agent for an attempt. Nothing of it is looked up any more. */
export interface Launch {
  readonly taskId: string
  readonly attemptId: string
  /** The program, by its name on PATH or by its path, and its arguments; a known program gets what it lacks. */
  readonly command: string
  readonly args?: ReadonlyArray<string>
  readonly model?: string
  /** The variables of the server's environment that it is given beside the usual ones. */
  readonly passthroughEnv: ReadonlyArray<string>
  readonly workingDirectory: string
  /** Where its envelope and its manifest lie (ruling 24). */
  readonly runDirectory: string
  readonly bridge?: { readonly url: string; readonly handle: Redacted.Redacted }
  readonly prompt: string
}

/**
 * Takes in facts in their order. The agent waits while this does, and goes no further than some lines ahead of it. It is
 * never called twice at once.
 */
export type Sink = (facts: ReadonlyArray<Fact>) => Effect.Effect<void>

/** How an agent came to its end. */
export interface AgentEnd {
  readonly ending: Ending
  /** The last well-formed claim about its result, if it made one. */
  readonly result?: ResultClaim
  /** Whether it was told to stop: its end is then an interruption, whatever its exit code. */
  readonly wasStopped: boolean
}

/** An agent that works. */
export interface RunningAgent {
  readonly identity: ProcessIdentity
  /**
   * Waits until it has ended, nothing that it started runs any more, and the sink has taken in all that it said. The
   * process is still written down then: `Units.forget` of the processes goes into the unit that settles the attempt.
   * It dies with the sink, and is interrupted when the scope closes: such an attempt is settled by the next start.
   */
  readonly ended: Effect.Effect<AgentEnd>
  /** Ends it and all that it started. What it had said until then still reaches the sink. */
  readonly stop: Effect.Effect<void>
}

/** The program of an agent could not be started. The message names no argument and no variable. */
export class AgentNotStarted extends Data.TaggedError("AgentNotStarted")<{
  readonly attemptId: string
  readonly reason: "not-found" | "not-executable" | "no-directory" | "refused"
}> {
  override get message() {
    return `The agent of ${this.attemptId} can't be started: ${this.reason}`
  }
}

/**
 * Whether agents of a provider can be started: those that work elsewhere need no adapter, and so far there is one for
 * commands alone.
 */
export const isAdapted = (provider: AgentProvider): boolean =>
  provider === "gateway" || provider === "command"

/** A way to run agents (ruling 22). The agent lives as long as the scope: no agent outlives a server that stops in order. */
export interface Adapter {
  readonly provider: AgentProvider
  readonly begin: (launch: Launch, sink: Sink) => Effect.Effect<RunningAgent, AgentNotStarted, Scope.Scope>
}
