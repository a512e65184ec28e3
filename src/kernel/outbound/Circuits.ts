import { Context, Data, Effect, Exit, Layer } from "effect"
import { now } from "../Time.ts"
import * as Circuit from "./Circuit.ts"

/** The circuit is open: the dependency failed too often, or an operator blocks it (`blocked`). */
export class CircuitOpen extends Data.TaggedError("CircuitOpen")<{
  readonly circuit: string
  readonly blocked: boolean
  readonly retryAfterMs: number
}> {
  override get message() {
    return this.blocked
      ? `Calls over ${this.circuit} are blocked by an operator`
      : `Calls over ${this.circuit} rest for ${Math.ceil(this.retryAfterMs / 1_000)} s after several failures`
  }
}

/** How many circuits are kept. The oldest one that is neither open nor overridden makes room. */
const circuitLimit = 1_000

/**
 * A circuit breaker for every outbound dependency, by key (`webhook:delivery`, `tracker:github`, `search:semantic`). It
 * is kept in memory only, and starts afresh with the process.
 */
export interface CircuitsService {
  /** Makes a circuit known before its first call, so that an operator can find it, and gives it as it is. */
  readonly register: (key: string) => Effect.Effect<Circuit.Circuit>
  /**
   * Runs a call when the circuit lets it through, and records its outcome. `verdict` gives the code of a failure, or
   * undefined for an outcome that does not count against the dependency. An interrupted call has no outcome.
   */
  readonly protect: <A, E>(
    key: string,
    verdict: (exit: Exit.Exit<A, E>) => string | undefined
  ) => <R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E | CircuitOpen, R>
  /** All circuits, in the order of their keys. */
  readonly all: Effect.Effect<ReadonlyArray<Circuit.Circuit>>
  /** Closes a circuit and forgets its failures, but keeps its override; undefined when there is no such circuit. */
  readonly reset: (key: string) => Effect.Effect<Circuit.Circuit | undefined>
  /** Sets or clears (undefined) an operator's override of a circuit. */
  readonly override: (
    key: string,
    override: Circuit.CircuitOverride | undefined
  ) => Effect.Effect<Circuit.Circuit>
}

export class Circuits extends Context.Tag("muster/Circuits")<Circuits, CircuitsService>() {
  static readonly layer = Layer.sync(Circuits, () => {
    const known = new Map<string, Circuit.Circuit>()

    const find = (key: string): Circuit.Circuit => known.get(key) ?? Circuit.fresh(key)

    const keep = (circuit: Circuit.Circuit): Circuit.Circuit => {
      if (!known.has(circuit.key) && known.size >= circuitLimit) {
        const quiet = [...known.values()].find(isQuiet) ?? [...known.values()][0]
        if (quiet !== undefined) known.delete(quiet.key)
      }
      known.set(circuit.key, circuit)
      return circuit
    }

    return Circuits.of({
      register: (key) => Effect.sync(() => keep(find(key))),
      protect: (key, verdict) => (call) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            const admission = Circuit.admit(find(key), yield* now)
            keep(admission.circuit)
            if (admission._tag === "Rejected") {
              const { blocked, retryAfterMs } = admission
              return yield* new CircuitOpen({ circuit: key, blocked, retryAfterMs })
            }
            const exit = yield* Effect.exit(restore(call))
            const at = yield* now
            const before = find(key)
            if (Exit.isInterrupted(exit)) keep(Circuit.givenUp(before))
            else {
              const failure = verdict(exit)
              keep(
                failure === undefined ? Circuit.succeeded(before, at) : Circuit.failed(before, at, failure)
              )
            }
            return yield* exit
          })
        ),
      all: Effect.sync(() => [...known.values()].sort((a, b) => (a.key < b.key ? -1 : 1))),
      reset: (key) =>
        Effect.sync(() => {
          const circuit = known.get(key)
          if (circuit === undefined) return undefined
          const { override } = circuit
          return keep({ ...Circuit.fresh(key), ...(override === undefined ? {} : { override }) })
        }),
      override: (key, override) =>
        Effect.sync(() => {
          const { override: _, ...circuit } = find(key)
          return keep(override === undefined ? circuit : { ...circuit, override })
        })
    })
  })
}

const isQuiet = ({ openedAt, override }: Circuit.Circuit): boolean =>
  openedAt === undefined && override === undefined
