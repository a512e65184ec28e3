import { Schema } from "effect"
import { SessionIdParam } from "../board/chat/ChatSession.ts"
import { TaskIdParam } from "../board/tasks/Task.ts"
import { everyIssue, integer } from "../kernel/Text.ts"

const Sequence = integer(0, Number.MAX_SAFE_INTEGER)

/**
 * What a client may send on the WebSocket (spec 1-core, Events), one JSON object a message:
 * `subscribe` follows one task from a sequence of its own, by default from the beginning;
 * `resume` is answered with `resumed`, replays what the board told after a sequence that the client has seen, and then
 * goes on live; a client that names the sequence in the URL, as `afterSequence`, needs no message;
 * `chat:subscribe` follows one chat session, `run-session:subscribe` the events of shared runs: from then on, and in what
 * a later `resume` replays;
 * `ping` is answered with `pong`.
 */
export const ClientMessage = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("subscribe"),
    taskId: TaskIdParam,
    attemptId: Schema.optional(Schema.String.pipe(Schema.maxLength(200))),
    afterSequence: Schema.optional(Sequence)
  }),
  Schema.Struct({ type: Schema.Literal("unsubscribe"), taskId: TaskIdParam }),
  Schema.Struct({ type: Schema.Literal("resume"), afterSequence: Sequence }),
  Schema.Struct({ type: Schema.Literal("chat:subscribe"), sessionId: SessionIdParam }),
  Schema.Struct({ type: Schema.Literal("chat:unsubscribe"), sessionId: SessionIdParam }),
  Schema.Struct({ type: Schema.Literal("run-session:subscribe") }),
  Schema.Struct({ type: Schema.Literal("ping") })
).annotations(everyIssue)
export type ClientMessage = typeof ClientMessage.Type

export const decodeClientMessage = Schema.decodeUnknownEither(Schema.parseJson(ClientMessage))

/** What the server answers to a message that it can't follow; the connection stays. */
export interface ErrorMessage {
  readonly type: "error"
  readonly code: string
  readonly message: string
  readonly requestType?: string
}
