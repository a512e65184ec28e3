import { Context, Effect, Layer } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import { Storage } from "../../storage/Storage.ts"
import { type Ingested, ingest, type ReplyRefused } from "./IngestReply.ts"
import type { Reply } from "./Reply.ts"

/** What people say elsewhere about messages of the squad chat. */
export interface RepliesService {
  readonly ingest: (
    adapterId: string,
    reply: Reply,
    by: ActorContext
  ) => Effect.Effect<Ingested, ReplyRefused>
}

export class Replies extends Context.Tag("muster/Replies")<Replies, RepliesService>() {
  static readonly layer = Layer.effect(
    Replies,
    Effect.map(Storage, (storage) =>
      Replies.of({
        ingest: Effect.fn("Replies.ingest")((adapterId, reply, by) =>
          storage.write(ingest(adapterId, reply, by))
        )
      })
    )
  )
}
