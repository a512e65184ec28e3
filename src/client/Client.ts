import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { Context, Duration, Effect, Layer, Option, ParseResult, Redacted } from "effect"
import { AnyFailure } from "../kernel/Failures.ts"
import { issuesOf } from "../kernel/Issues.ts"
import { type Connection, connection } from "./Connection.ts"
import { type Failure, Misunderstood, Misused, Refused, Unreachable } from "./Failure.ts"
import { staying } from "./RefuseRedirects.ts"

/** How long a call may take, unless its caller waits for another time. */
const patience = Duration.seconds(10)

/** One group of the contract as a contract of its own: whoever asks one room need not load the others. */
const contractOf = <Group extends HttpApiGroup.HttpApiGroup.Any>(group: Group) =>
  HttpApi.make("muster").add(group).addError(AnyFailure)

/** The HTTP client of the calls: an error envelope fails as `Refused`, and no redirect is followed. */
const sender = (settings: Connection, http: HttpClient.HttpClient) =>
  staying(http).pipe(
    HttpClient.mapRequest((request) =>
      settings.key === undefined
        ? request
        : HttpClientRequest.setHeader(request, "x-api-key", Redacted.value(settings.key))
    ),
    HttpClient.transform((send) => Effect.tap(send, refuse))
  )

/** Makes the client of a group. */
export const makeGroup = <Group extends HttpApiGroup.HttpApiGroup.Any>(
  settings: Connection,
  http: HttpClient.HttpClient,
  group: Group
) =>
  HttpApiClient.makeWith(contractOf(group), {
    baseUrl: settings.url,
    transformResponse: Effect.mapError(misread(settings.url)),
    httpClient: sender(settings, http)
  })

/** The effect that makes the client of a group. */
type Made<Group extends HttpApiGroup.HttpApiGroup.Any> = ReturnType<typeof makeGroup<Group>>

/** The calls of one group, under its name. */
export type GroupClient<Group extends HttpApiGroup.HttpApiGroup.Any> = Effect.Effect.Success<Made<Group>>

/** The server, as the commands know it. */
export interface ClientService {
  readonly settings: Connection
  /**
   * Makes a call of a group of the contract. Whatever goes wrong is a `Failure`. The answer may take ten seconds, or
   * `upTo`.
   */
  readonly call: <Group extends HttpApiGroup.HttpApiGroup.Any, A, E, R>(
    group: Group,
    request: (client: GroupClient<Group>) => Effect.Effect<A, E, R>,
    upTo?: Duration.Duration
  ) => Effect.Effect<A, Failure, R | Effect.Effect.Context<Made<Group>>>
}

export class Client extends Context.Tag("muster/Client")<Client, ClientService>() {
  static readonly layer = Layer.effect(
    this,
    Effect.flatMap(connection, (settings) => makeClient(settings))
  )
}

/** The server at a connection. The client of a group is made when it is first used: that takes a few milliseconds. */
export const makeClient = (settings: Connection) =>
  Effect.map(HttpClient.HttpClient, (http) => {
    let made = Context.empty()
    const callsOf = <Group extends HttpApiGroup.HttpApiGroup.Any>(group: Group) => {
      const tag = Context.GenericTag<Group, GroupClient<Group>>(`muster/client/${group.identifier}`)
      return Option.match(Context.getOption(made, tag), {
        onSome: (calls) => Effect.succeed(calls),
        onNone: () =>
          Effect.tap(makeGroup(settings, http, group), (calls) => {
            made = Context.add(made, tag, calls)
          })
      })
    }
    return Client.of({
      settings,
      call: (group, request, upTo) =>
        Effect.flatMap(callsOf(group), request).pipe(
          inTime(settings.url, upTo),
          Effect.mapError(understand(settings.url))
        )
    })
  })

/** Gives a call up as `Unreachable` when its answer takes too long. */
export const inTime =
  (url: string, upTo: Duration.Duration = patience) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E | Unreachable, R> =>
    Effect.timeoutFail(call, {
      duration: upTo,
      onTimeout: () =>
        new Unreachable({ url, reason: `it took longer than ${Duration.toSeconds(upTo)} seconds` })
    })

/** Turns whatever went wrong with a call into a `Failure`. */
export const understand =
  (url: string) =>
  (error: unknown): Failure => {
    if (isTold(error)) return error
    if (HttpClientError.isHttpClientError(error) && error._tag === "RequestError") {
      return new Unreachable({ url, reason: causeOf(error.cause) })
    }
    if (HttpClientError.isHttpClientError(error) && error._tag === "ResponseError") {
      const { status } = error.response
      return [502, 503, 504].includes(status)
        ? new Unreachable({ url, reason: `a proxy answers in its place with ${status}` })
        : new Misunderstood({ url, reason: `status ${status}` })
    }
    return ParseResult.isParseError(error) ? unsendable(error) : new Misunderstood({ url, reason: "unknown" })
  }

const isTold = (error: unknown): error is Refused | Unreachable | Misunderstood | Misused =>
  error instanceof Refused ||
  error instanceof Unreachable ||
  error instanceof Misunderstood ||
  error instanceof Misused

/** Turns an answer that does not fit the contract into `Misunderstood`. Other errors are left as they are. */
const misread =
  (url: string) =>
  (error: unknown): unknown =>
    ParseResult.isParseError(error) ? misunderstood(url, error) : error

const misunderstood = (url: string, error: ParseResult.ParseError): Misunderstood => {
  const [issue] = issuesOf(ParseResult.ArrayFormatter.formatErrorSync(error))
  return new Misunderstood({ url, reason: `unexpected ${issue?.path || "content"}` })
}

/** A request that does not fit the contract. It was never sent, and is reported as the server would report it. */
const unsendable = (error: ParseResult.ParseError): Refused => {
  const issues = issuesOf(ParseResult.ArrayFormatter.formatErrorSync(error))
  const body = { error: "Validation failed", code: "VALIDATION_ERROR", details: { issues } }
  return new Refused({ status: 400, code: body.code, reason: body.error, details: body.details, body })
}

const systemReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody listens there",
  ENOTFOUND: "the name is not known",
  EAI_AGAIN: "the name can't be looked up right now",
  ECONNRESET: "the connection broke",
  EHOSTUNREACH: "the machine can't be reached",
  ENETUNREACH: "the network can't be reached",
  UND_ERR_SOCKET: "the connection broke"
}

/** What the system says about a connection that failed; fetch hides it one or two causes deep. */
export const causeOf = (error: unknown): string => {
  let said = "the connection failed"
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
    const code = first instanceof Error && "code" in first ? String(first.code) : undefined
    if (code !== undefined) return systemReasons[code] ?? code
    said = cause.message
  }
  return said
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Reads any of the three error envelopes; undefined when the answer is none of them. */
export const readEnvelope = (status: number, body: unknown): Refused | undefined => {
  if (!isRecord(body)) return undefined
  const inner = isRecord(body["error"]) ? body["error"] : body
  const reason = inner["message"] ?? inner["error"]
  if (typeof reason !== "string" || typeof inner["code"] !== "string") return undefined
  const details = isRecord(inner["details"]) ? inner["details"] : {}
  return new Refused({ status, code: inner["code"], reason, details, body })
}

/** Fails as `Refused` for an error envelope. Any other answer is passed on to whoever expects it. */
const refuse = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<void, Refused> =>
  response.status < 400
    ? Effect.void
    : response.json.pipe(
        Effect.orElseSucceed(() => undefined),
        Effect.flatMap((body) => readEnvelope(response.status, body) ?? Effect.void)
      )
