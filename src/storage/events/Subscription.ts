import { Data, type Effect, Either, ParseResult, Schema } from "effect"
import type { ActorContext } from "../../kernel/Actor.ts"
import type { Issue } from "../../kernel/Failures.ts"
import { issuesOf } from "../../kernel/Issues.ts"
import type { Sql } from "../Sql.ts"
import type { OutboxEvent, Stream } from "./Outbox.ts"

/** A message to a client of the live stream: JSON that says what it is. */
export interface Message {
  readonly type: string
  readonly [field: string]: unknown
}

/** What is told with a topic (Broadcast.ts): from now on, and whatever a later `resume` replays. */
export interface Topic {
  readonly _tag: "Topic"
  readonly topic: string
  /** The resource whose next event ends this without a word, because what it was about is gone. */
  readonly until?: Stream
}

/** Sequences of a stream that are no longer kept, the first and the last of them. */
export interface Gap {
  readonly from: number
  readonly to: number
}

/**
 * The events of one resource, oldest first, from behind a sequence of its own stream. They are read by cursor, so replay
 * and live are the same loop and nothing comes twice.
 */
export interface Events {
  readonly _tag: "Events"
  readonly stream: Stream
  readonly after: number
  readonly tell: (event: OutboxEvent) => Message
  /** Says in its place what is missing. Without it, what is no longer kept is passed over. */
  readonly tellGap?: (gap: Gap) => Message
}

/**
 * Messages that are read page by page, each in one read of the store; what was read says how it goes on. So whoever
 * declares one follows whatever it likes: a stream of the log, and the next one when that has ended.
 */
export interface Pages {
  readonly _tag: "Pages"
  /** What moves when more may have come (`Sql.moves`). It is listened to before anything is read. */
  readonly streams: ReadonlyArray<string>
  /** The next messages and what comes after them; `undefined` when there is nothing more by now. */
  readonly read: Effect.Effect<
    { readonly messages: ReadonlyArray<Message>; readonly next: Pages } | undefined,
    never,
    Sql
  >
}

/** What is told to whoever follows: by topic, or by cursor; of several, each tells in its own order. */
export type Followed = Topic | Events | Pages

/**
 * What a message of a client asks for. What is followed has a key, by which it can be left; following it again begins
 * it anew. `answer` confirms it and comes before anything that is told of it, so it marks the start.
 */
export type Asked =
  | {
      readonly _tag: "Follow"
      readonly key: string
      readonly followed: ReadonlyArray<Followed>
      readonly answer: Message
    }
  | { readonly _tag: "Leave"; readonly key: string; readonly answer: Message }

export const follow = (
  key: string,
  followed: Followed | ReadonlyArray<Followed>,
  answer: Message
): Asked => ({
  _tag: "Follow",
  key,
  followed: "_tag" in followed ? [followed] : followed,
  answer
})

export const leave = (key: string, answer: Message): Asked => ({ _tag: "Leave", key, answer })

/** A client does not get what it asked for. Code and message go to it as they stand; its connection stays. */
export class SubscriptionRefused extends Data.TaggedError("SubscriptionRefused")<{
  readonly code: "NOT_FOUND" | "PERMISSION_DENIED" | "CONFLICT"
  readonly message: string
}> {}

/** Decides in one read what a client gets who sent a message. */
export type Ask = (by: ActorContext) => Effect.Effect<Asked, SubscriptionRefused, Sql>

/** A message that a client may send. */
export interface ClientMessage {
  readonly type: string
  /** Reads the fields of one, or tells which of them do not fit. */
  readonly read: (message: unknown) => Either.Either<Ask, ReadonlyArray<Issue>>
}

/** Reads the fields of a message; what is wrong with them is told field by field, without what was sent. */
export const fieldsReader = <A, I>(fields: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(fields, { errors: "all" })
  return (message: unknown): Either.Either<A, ReadonlyArray<Issue>> =>
    Either.mapLeft(decode(message), (error) => issuesOf(ParseResult.ArrayFormatter.formatErrorSync(error)))
}

/** A message that a client may send: its type, its other fields, and what it asks for. */
export const clientMessage = <A, I>(
  type: string,
  fields: Schema.Schema<A, I>,
  ask: (message: A, by: ActorContext) => ReturnType<Ask>
): ClientMessage => {
  const readFields = fieldsReader(fields)
  return {
    type,
    read: (message) =>
      Either.map(
        readFields(message),
        (decoded): Ask =>
          (by) =>
            ask(decoded, by)
      )
  }
}

/**
 * What clients of the live stream can follow of a room. Rooms declare theirs; the WebSocket reads the messages, keeps
 * the limit and tells what is followed. Whoever sends a message may read tasks: what else it takes, `ask` says.
 */
export interface Subscription {
  readonly messages: ReadonlyArray<ClientMessage>
  /** How many of them one connection may follow, and what they are called in the plural. Without it there is one. */
  readonly limit?: { readonly most: number; readonly called: string }
}
