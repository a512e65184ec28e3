import { Effect, ExecutionStrategy, type Exit, Scope } from "effect"

/** A scope that costs nothing until somebody uses it: hardly any request does. */
export class RequestScope implements Scope.Scope {
  readonly [Scope.ScopeTypeId]: Scope.ScopeTypeId = Scope.ScopeTypeId
  readonly strategy = ExecutionStrategy.sequential
  private real: Scope.CloseableScope | undefined

  private open(): Scope.CloseableScope {
    this.real ??= Effect.runSync(Scope.make())
    return this.real
  }

  fork(strategy: ExecutionStrategy.ExecutionStrategy) {
    return Scope.fork(this.open(), strategy)
  }

  addFinalizer(finalizer: Scope.Scope.Finalizer) {
    return Scope.addFinalizerExit(this.open(), finalizer)
  }

  pipe(): Scope.Scope {
    return this
  }

  end(exit: Exit.Exit<unknown, unknown>): void {
    if (this.real !== undefined) Effect.runFork(Scope.close(this.real, exit))
  }
}
