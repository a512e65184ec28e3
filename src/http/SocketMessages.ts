import { Either, Option, Schema } from "effect"
import type { Issue } from "../kernel/Failures.ts"
import { integer } from "../kernel/Text.ts"
import { type Ask, fieldsReader, type Subscription } from "../storage/events/Subscription.ts"

/** What the server answers to a message that it can't follow; the connection stays. */
export interface ErrorMessage {
  readonly type: "error"
  readonly code: string
  readonly message: string
  readonly requestType?: string
}

export const refusal = (code: string, message: string, requestType?: string): ErrorMessage => ({
  type: "error",
  code,
  message,
  ...(requestType === undefined ? {} : { requestType })
})

/** A message of a client: the stream's own, one for a room, or what is wrong with it. */
export type Incoming =
  | { readonly _tag: "Resume"; readonly type: string; readonly afterSequence: number }
  | { readonly _tag: "Ping"; readonly type: string }
  | {
      readonly _tag: "Request"
      readonly type: string
      readonly subscription: Subscription
      readonly ask: Ask
    }
  | { readonly _tag: "Unreadable"; readonly error: ErrorMessage }

/** What clients may send. */
export interface ClientMessages {
  readonly read: (text: string) => Incoming
  /** How many of a client's messages may wait: enough to follow all that it followed when it comes back. */
  readonly inboxLimit: number
}

const smallestInbox = 16

const decodeTyped = Schema.decodeUnknownOption(
  Schema.parseJson(
    Schema.Struct({ type: Schema.String }, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  )
)

const readResume = fieldsReader(Schema.Struct({ afterSequence: integer(0, Number.MAX_SAFE_INTEGER) }))

type Reader = (message: unknown) => Either.Either<Incoming, ReadonlyArray<Issue>>

/** A message whose type is known and whose fields do not fit. */
const malformed = (type: string, issues: ReadonlyArray<Issue>): Incoming => ({
  _tag: "Unreadable",
  error: refusal(
    "VALIDATION_ERROR",
    issues.map(({ message, path }) => `${path}: ${message}`).join("; "),
    type
  )
})

/**
 * The messages of the stream itself (spec 1-core, Events). `resume` is answered with `resumed`, replays what the board
 * told after a sequence that the client has seen, and then goes on live; a client that names the sequence in the URL, as
 * `afterSequence`, needs no message. `ping` is answered with `pong`.
 */
const own: ReadonlyArray<readonly [string, Reader]> = [
  [
    "resume",
    (message) => Either.map(readResume(message), (resume) => ({ _tag: "Resume", type: "resume", ...resume }))
  ],
  ["ping", () => Either.right({ _tag: "Ping", type: "ping" })]
]

/** What clients may send, one JSON object a message: what the rooms declare, and the stream's own messages. */
export const clientMessages = (subscriptions: ReadonlyArray<Subscription>): ClientMessages => {
  const declared = subscriptions.flatMap((subscription) =>
    subscription.messages.map(({ read, type }): readonly [string, Reader] => [
      type,
      (message) => Either.map(read(message), (ask) => ({ _tag: "Request", type, subscription, ask }))
    ])
  )
  const readers = new Map([...declared, ...own])
  if (readers.size < declared.length + own.length) throw new Error("Two rooms declare the same message")
  const types = [...readers.keys()]
  const unreadable: Incoming = {
    _tag: "Unreadable",
    error: refusal(
      "VALIDATION_ERROR",
      `Expected a JSON object of type ${types.slice(0, -1).join(", ")} or ${types.at(-1)}`
    )
  }
  return {
    read: (text) =>
      decodeTyped(text).pipe(
        Option.flatMapNullable((message) =>
          readers
            .get(message.type)?.(message)
            .pipe(Either.getOrElse((issues) => malformed(message.type, issues)))
        ),
        Option.getOrElse(() => unreadable)
      ),
    inboxLimit: Math.max(
      smallestInbox,
      2 * subscriptions.reduce((sum, { limit }) => sum + (limit?.most ?? 0), 0)
    )
  }
}
