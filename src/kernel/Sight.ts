import { Context, Effect, Layer } from "effect"

/**
 * Builds a layer that sees only the named services. The context of a group of routes is copied on every request: with
 * the whole system in it, a read loses a quarter of its speed. A layer that is not shown a service that it needs fails
 * when it is built, at the start.
 */
export const seeing =
  (...tags: ReadonlyArray<{ readonly key: string }>) =>
  <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
    Layer.scopedContext(
      Effect.gen(function* () {
        const memoMap = yield* Layer.CurrentMemoMap
        const scope = yield* Effect.scope
        return yield* Effect.mapInputContext(
          Layer.buildWithMemoMap(layer, memoMap, scope),
          (all: Context.Context<R>) => only(all, tags)
        )
      })
    )

/** The part of a context that the tags name. */
export const only = <R>(
  all: Context.Context<R>,
  tags: ReadonlyArray<{ readonly key: string }>
): Context.Context<R> => {
  const keys = new Set(tags.map(({ key }) => key))
  return Context.unsafeMake(new Map([...all.unsafeMap].filter(([key]) => keys.has(key))))
}
