import { Cause, Context, Data, Duration, Effect, type Either, Exit, Fiber, Layer, Option } from "effect"
import { type Allowance, publicOnly } from "./Address.ts"
import { call, type Response, ResponseTooLarge, Unreachable } from "./Call.ts"
import { CircuitOpen, Circuits } from "./Circuits.ts"
import { addressesOf, Lookup, type ResolvedAddress } from "./Lookup.ts"
import { AddressRefused, checkUrl, hostOf, isPlain } from "./Target.ts"

export type { Response }
export { AddressRefused, CircuitOpen, ResponseTooLarge, Unreachable }

/** A request to somebody outside. */
export interface Request {
  /** The circuit that guards the dependency, e.g. `tracker:github`. */
  readonly circuit: string
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The time from the resolution of the name to the last byte, in milliseconds; 10 seconds when absent. */
  readonly timeoutMs?: number
  /** The most bytes of an answer; 1 MiB when absent. */
  readonly responseLimit?: number
  /** Which addresses it may reach; what the operator allows when absent. */
  readonly allow?: Allowance
}

/** A URL, and the addresses that a connection to it may take. */
export interface Route {
  readonly url: URL
  readonly addresses: ReadonlyArray<ResolvedAddress>
}

/** No answer in time. `sent` tells whether the request may have arrived. */
export class OutboundTimeout extends Data.TaggedError("OutboundTimeout")<{ readonly sent: boolean }> {
  override readonly message = "There was no answer in time"
}

export type OutboundFailure = AddressRefused | CircuitOpen | OutboundTimeout | Unreachable | ResponseTooLarge

const defaultTimeoutMs = 10_000
const defaultResponseLimit = 1_048_576

/**
 * The one way out for HTTP. A URL from outside is hostile: the name is resolved here, every address of it is checked,
 * and the connection goes to a checked address and nowhere else. Redirects are answers like any other; time and size
 * are bounded; a circuit guards each dependency.
 */
export interface OutboundService {
  readonly send: (request: Request) => Effect.Effect<Response, OutboundFailure>
  /** Checks a URL before it is called, without resolving its name: for those who store it. */
  readonly check: (url: string, allow?: Allowance) => Either.Either<URL, AddressRefused>
  /** Resolves a URL and checks every address: for those who open a connection of their own. */
  readonly route: (url: string, allow?: Allowance) => Effect.Effect<Route, AddressRefused | Unreachable>
}

export class Outbound extends Context.Tag("muster/Outbound")<Outbound, OutboundService>() {
  static readonly layer = (operator: Allowance = publicOnly) =>
    Layer.effect(
      Outbound,
      Effect.gen(function* () {
        const circuits = yield* Circuits
        const resolve = yield* Lookup

        const route = (target: string, allow: Allowance = operator) =>
          Effect.gen(function* () {
            const url = yield* checkUrl(target, allow)
            const addresses = yield* addressesOf(resolve, hostOf(url), allow)
            if (
              isPlain(
                url,
                addresses.map(({ address }) => address),
                allow
              )
            )
              return yield* new AddressRefused({ reason: "not-encrypted" })
            return { url, addresses }
          }).pipe(Effect.catchTag("NameNotFound", ({ reason }) => new Unreachable({ reason, sent: false })))

        const attempt = (request: Request) =>
          Effect.suspend(() => {
            const { allow = operator, responseLimit = defaultResponseLimit } = request
            const { body, headers, method, timeoutMs = defaultTimeoutMs } = request
            const progress = { sent: false }
            return Effect.gen(function* () {
              return yield* call(
                {
                  ...(yield* route(request.url, allow)),
                  method,
                  headers: { "user-agent": "muster", ...headers },
                  body,
                  responseLimit
                },
                progress
              )
            }).pipe(
              // Closing the connection may be slow; nobody waits for that.
              Effect.disconnect,
              Effect.timeoutFail({
                duration: Duration.millis(timeoutMs),
                onTimeout: () => new OutboundTimeout({ sent: progress.sent })
              }),
              endingInTime
            )
          })

        return Outbound.of({
          check: (url, allow = operator) => checkUrl(url, allow),
          route,
          send: Effect.fn("Outbound.send")((request) =>
            circuits.protect(request.circuit, verdict)(attempt(request))
          )
        })
      })
    )
}

/**
 * Makes the deadline of an exchange hold even when its caller is uninterruptible, as one that records what came of a
 * send is: there, the interruption by which a deadline ends the exchange would wait. So the exchange runs in a fiber of
 * its own, which is interrupted along with a caller that may be interrupted.
 */
const endingInTime = <A, E, R>(exchange: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDaemon(Effect.interruptible(exchange)), (fiber) =>
      Effect.onInterrupt(restore(Fiber.join(fiber)), () => Fiber.interruptFork(fiber))
    )
  )

/** What counts against a dependency: no answer, a broken one, or a status of 500 or above. */
const verdict = (
  exit: Exit.Exit<Response, AddressRefused | OutboundTimeout | Unreachable | ResponseTooLarge>
): string | undefined =>
  Exit.match(exit, {
    onSuccess: ({ status }) => (status >= 500 ? `status ${status}` : undefined),
    onFailure: (cause) =>
      Option.match(Cause.failureOption(cause), { onNone: () => "defect", onSome: verdicts })
  })

const verdicts = (
  failure: AddressRefused | OutboundTimeout | Unreachable | ResponseTooLarge
): string | undefined => {
  switch (failure._tag) {
    // The request never went out: this is about the URL.
    case "AddressRefused":
      return undefined
    case "OutboundTimeout":
      return "timeout"
    case "ResponseTooLarge":
      return "response-too-large"
    case "Unreachable":
      return failure.reason
  }
}
