import { Context, Effect, Layer } from "effect"

/** How many WebSocket connections are open: the stream counts them, the health report shows them. */
export interface LiveConnectionsService {
  readonly count: Effect.Effect<number>
  /** Sets how they are counted, once the stream is there. */
  readonly countBy: (count: () => number) => Effect.Effect<void>
}

export class LiveConnections extends Context.Tag("muster/LiveConnections")<
  LiveConnections,
  LiveConnectionsService
>() {
  static readonly layer = Layer.sync(LiveConnections, () => {
    let counting = (): number => 0
    return LiveConnections.of({
      count: Effect.sync(() => counting()),
      countBy: (count) =>
        Effect.sync(() => {
          counting = count
        })
    })
  })
}
