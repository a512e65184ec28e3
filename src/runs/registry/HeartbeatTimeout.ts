import { Context, Duration, Layer } from "effect"

/** How long an agent that is not heard of reads as what it last said; then it is offline. */
export class HeartbeatTimeout extends Context.Tag("muster/HeartbeatTimeout")<
  HeartbeatTimeout,
  { readonly milliseconds: number }
>() {
  /** SERVICE_AGENT_HEARTBEAT_TIMEOUT_SECONDS; five minutes when the operator does not say. */
  static readonly layer = (seconds = 300) =>
    Layer.succeed(HeartbeatTimeout, { milliseconds: Duration.toMillis(Duration.seconds(seconds)) })
}
