import { Data, Deferred, type Duration, Effect, Option, type Scope, Stream } from "effect"
import type { Child } from "./Child.ts"
import { type Message, parseMessage, type Refusal, writeMessage } from "./JsonRpcMessage.ts"
import { type Line, linesOf } from "./Lines.ts"

/** The other side refused a request. */
export class RequestRefused extends Data.TaggedError("RequestRefused")<
  { readonly method: string } & Refusal
> {
  override get message() {
    return `${this.method} was refused with ${this.code}`
  }
}

/** No answer will come: the other side has ended, has not answered in time, or too much waits for it already. */
export class RequestLost extends Data.TaggedError("RequestLost")<{
  readonly method: string
  readonly reason: "ended" | "timed-out" | "too-many"
}> {
  override get message() {
    return `${this.method} has no answer: ${this.reason}`
  }
}

/** What the other side may ask and tell. A notification is dealt with before anything that was said after it. */
export interface PeerHandlers {
  readonly request: (method: string, params: unknown) => Effect.Effect<unknown, Refusal>
  readonly notification: (method: string, params: unknown) => Effect.Effect<void>
  /** A line that is no message. It is counted, told and passed over: the connection goes on. */
  readonly unreadable?: (line: string) => Effect.Effect<void>
}

/** One end of a connection on which both sides ask. */
export interface JsonRpcPeer {
  readonly request: (
    method: string,
    params?: unknown,
    timeout?: Duration.DurationInput
  ) => Effect.Effect<unknown, RequestRefused | RequestLost>
  /** False when nobody reads any more. */
  readonly notify: (method: string, params?: unknown) => Effect.Effect<boolean>
  /** Waits until the other side says no more. */
  readonly ended: Effect.Effect<void>
}

/** How many requests may wait for the other side, and how many of its own may be worked on. */
const pendingLimit = 256
const workLimit = 64

/** The longest message: a file in a turn of a conversation, not a film. */
const messageLimit = 16_777_216

/** What a request without a time of its own waits for its answer. */
const patience = "60 seconds"

const methodNotFound = -32601

/** Refuses a method that is not known here. */
export const unknownMethod = (method: string): Refusal => ({
  code: methodNotFound,
  message: `There is no method ${method.slice(0, 100)}`
})

/**
 * Speaks JSON-RPC over the standard streams of a program: one message a line. What waits for an answer fails when the
 * program ends; what it asks is worked on side by side, up to a limit above which it is refused.
 */
export const makePeer = (
  { stdout, write }: Pick<Child, "stdout" | "write">,
  handlers: PeerHandlers
): Effect.Effect<JsonRpcPeer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const waiting = new Map<string | number, Deferred.Deferred<unknown, Refusal | "ended">>()
    const ended = yield* Deferred.make<void>()
    const work = yield* Effect.makeSemaphore(workLimit)
    const scope = yield* Effect.scope
    let next = 0
    /** Whether the next piece belongs to a message that was too long to be read. */
    let tooLong = false

    const say = (message: Message) => write(writeMessage(message))

    const answer = ({ id, method, params }: Extract<Message, { _tag: "Request" }>) =>
      handlers.request(method, params).pipe(
        Effect.catchAllDefect(() => Effect.fail<Refusal>({ code: -32603, message: "It failed" })),
        Effect.matchEffect({
          onFailure: (error) => say({ _tag: "Failure", id, error }),
          onSuccess: (result) => say({ _tag: "Result", id, result })
        }),
        work.withPermitsIfAvailable(1),
        Effect.flatMap(
          Option.match({
            onNone: () =>
              say({ _tag: "Failure", id, error: { code: -32000, message: "Too many requests at once" } }),
            onSome: Effect.succeed
          })
        )
      )

    const settle = (id: string | number | null, exit: Effect.Effect<unknown, Refusal>) => {
      const asked = id === null ? undefined : waiting.get(id)
      return asked === undefined ? Effect.void : Effect.asVoid(Deferred.complete(asked, exit))
    }

    const hear = (line: string): Effect.Effect<void> => {
      if (line.trim() === "") return Effect.void
      const message = parseMessage(line)
      switch (message?._tag) {
        case undefined:
          return handlers.unreadable?.(line) ?? Effect.void
        case "Request":
          return Effect.asVoid(Effect.forkIn(answer(message), scope))
        case "Notification":
          return Effect.catchAllDefect(
            handlers.notification(message.method, message.params),
            () => Effect.void
          )
        case "Result":
          return settle(message.id, Effect.succeed(message.result))
        case "Failure":
          return settle(message.id, Effect.fail(message.error))
      }
    }

    const hearPiece = ({ goesOn, text }: Line): Effect.Effect<void> => {
      const isWhole = !goesOn && !tooLong
      const begins = goesOn && !tooLong
      tooLong = goesOn
      if (isWhole) return hear(text)
      return begins ? (handlers.unreadable?.(text) ?? Effect.void) : Effect.void
    }

    yield* stdout.pipe(
      linesOf(() => messageLimit),
      Stream.runForEach((lines) => Effect.forEach(lines, hearPiece, { discard: true })),
      Effect.ensuring(
        Effect.suspend(() =>
          Effect.zipRight(
            Deferred.succeed(ended, undefined),
            Effect.forEach([...waiting.values()], (asked) => Deferred.fail(asked, "ended"), { discard: true })
          )
        )
      ),
      Effect.forkIn(scope)
    )

    const request: JsonRpcPeer["request"] = (method, params, timeout = patience) =>
      Effect.gen(function* () {
        if (waiting.size >= pendingLimit) return yield* new RequestLost({ method, reason: "too-many" })
        const id = ++next
        const asked = yield* Deferred.make<unknown, Refusal | "ended">()
        waiting.set(id, asked)
        const send = Effect.gen(function* () {
          const heard =
            !(yield* Deferred.isDone(ended)) && (yield* say({ _tag: "Request", id, method, params }))
          if (!heard) yield* Deferred.fail(asked, "ended")
        })
        return yield* Effect.zipRight(send, Deferred.await(asked)).pipe(
          Effect.mapError((refusal) =>
            refusal === "ended"
              ? new RequestLost({ method, reason: "ended" })
              : new RequestRefused({ method, ...refusal })
          ),
          Effect.timeoutFail({
            duration: timeout,
            onTimeout: () => new RequestLost({ method, reason: "timed-out" })
          }),
          Effect.ensuring(Effect.sync(() => waiting.delete(id)))
        )
      })

    return {
      request,
      notify: (method, params) => say({ _tag: "Notification", method, params }),
      ended: Deferred.await(ended)
    }
  })
