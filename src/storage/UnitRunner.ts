import {
  Cause,
  Context,
  DefaultServices,
  Effect,
  type Exit,
  FiberId,
  FiberRefs,
  Runtime,
  RuntimeFlags
} from "effect"
import { Sql, type SqlScope } from "./Sql.ts"

/** What a unit is given of whoever asks for it: the services that it may need, and the clock. */
export interface Caller {
  readonly currentContext: Context.Context<never>
  readonly currentDefaultServices: Context.Context<DefaultServices.DefaultServices>
}

/** Who asks without a fiber: it has no services, and the clock of this effect. */
export const nobody: Effect.Effect<Caller> = Effect.withFiberRuntime(({ currentDefaultServices }) =>
  Effect.succeed({ currentContext: Context.empty(), currentDefaultServices })
)

/** Fibers of units are short, and too many to be counted. */
const runtimeFlags = RuntimeFlags.disable(Runtime.defaultRuntimeFlags, RuntimeFlags.RuntimeMetrics)

/** Runs units of work, each to its end in one go. */
export interface UnitRunner {
  /**
   * Runs a unit, or a read of several statements, with the services and the clock of its caller. Nothing else can run in
   * between; a unit that waits for anything dies, and its statements can't come late.
   */
  readonly run: <A, E, R>(unit: Effect.Effect<A, E, R>, scope: SqlScope, caller: Caller) => Exit.Exit<A, E>
}

/**
 * A runner whose units log as this effect does. What a caller has set besides the clock is left behind: taking all of it
 * along costs more than a statement.
 */
export const make: Effect.Effect<UnitRunner> = Effect.map(Effect.getFiberRefs, (own) => {
  let services: Caller["currentDefaultServices"] | undefined
  let fiberRefs = own
  /** There is one clock, but in tests. */
  const refsOf = ({ currentDefaultServices }: Caller): FiberRefs.FiberRefs => {
    if (currentDefaultServices !== services) {
      services = currentDefaultServices
      fiberRefs = FiberRefs.updateAs(own, {
        fiberId: FiberId.none,
        fiberRef: DefaultServices.currentServices,
        value: currentDefaultServices
      })
    }
    return fiberRefs
  }
  return {
    run: <A, E, R>(unit: Effect.Effect<A, E, R>, scope: SqlScope, caller: Caller) => {
      const runtime = Runtime.make({
        // The unit's other requirements are the caller's, whose context is merged in here.
        context: Context.add(caller.currentContext, Sql, scope) as Context.Context<R | Sql>,
        fiberRefs: refsOf(caller),
        runtimeFlags
      })
      const exit = Runtime.runSyncExit(runtime, unit)
      scope.over = true
      if (exit._tag === "Failure") {
        const waiting = [...Cause.defects(exit.cause)].find(Runtime.isAsyncFiberException)
        if (waiting !== undefined) Effect.runFork(waiting.fiber.interruptAsFork(waiting.fiber.id()))
      }
      return exit
    }
  }
})
