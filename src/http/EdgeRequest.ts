import type { IncomingMessage } from "node:http"
import * as Headers from "@effect/platform/Headers"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Effect, Inspectable, Option, Stream } from "effect"
import type { Body } from "./Body.ts"
import type { Admitted } from "./Door.ts"

interface Overrides {
  readonly url?: string
  readonly headers?: Headers.Headers
  readonly remoteAddress?: string
}

/**
 * A request as the router and the handlers see it. The door has read the body already, so `json` and `text` are values
 * and nothing suspends; streams, forms and upgrades are no part of this API.
 */
export class EdgeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly source: IncomingMessage
  readonly method: HttpMethod
  readonly url: string
  readonly headers: Headers.Headers
  readonly requestId: string
  /** The route that it is for (`GET /api/tasks/:id`), once the authorization has let it pass to there. */
  route: string | undefined
  private readonly admitted: Admitted
  private readonly overrides: Overrides

  constructor(admitted: Admitted, overrides: Overrides = {}) {
    super()
    this.admitted = admitted
    this.overrides = overrides
    this.source = admitted.request
    this.method = methodOf(admitted.request)
    this.url = overrides.url ?? admitted.request.url ?? "/"
    this.headers = overrides.headers ?? headersOf(admitted)
    this.requestId = admitted.requestId
  }

  get originalUrl(): string {
    return this.source.url ?? "/"
  }

  get cookies() {
    return {}
  }

  get remoteAddress(): Option.Option<string> {
    return Option.fromNullable(this.overrides.remoteAddress ?? this.source.socket.remoteAddress)
  }

  get json(): Effect.Effect<unknown, HttpServerError.RequestError> {
    return Effect.succeed(valueOf(this.admitted.body))
  }

  get text(): Effect.Effect<string, HttpServerError.RequestError> {
    const { body } = this.admitted
    return Effect.succeed(body._tag === "Lines" ? body.text : JSON.stringify(valueOf(body)))
  }

  get urlParamsBody(): Effect.Effect<never, HttpServerError.RequestError> {
    return this.unsupported("forms")
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError.RequestError> {
    return this.unsupported("bytes")
  }

  get stream(): Stream.Stream<Uint8Array, HttpServerError.RequestError> {
    return Stream.fail(this.error("streams"))
  }

  get multipart() {
    return Effect.dieMessage("This API takes no forms")
  }

  get multipartStream() {
    return Stream.dieMessage("This API takes no forms")
  }

  get upgrade(): Effect.Effect<never, HttpServerError.RequestError> {
    return this.unsupported("upgrades")
  }

  /** Adds a header to the answer, whatever that will be. */
  tell(name: string, value: string): void {
    this.admitted.response.setHeader(name, value)
  }

  modify(options: Overrides): EdgeRequest {
    return new EdgeRequest(this.admitted, { ...this.overrides, ...options })
  }

  override toString(): string {
    return `Request(${this.method} ${this.url})`
  }

  /** What a log may show of a request: never its headers. */
  toJSON(): unknown {
    return { _id: "Request", method: this.method, requestId: this.requestId }
  }

  private unsupported(what: string): Effect.Effect<never, HttpServerError.RequestError> {
    return Effect.fail(this.error(what))
  }

  private error(what: string): HttpServerError.RequestError {
    return new HttpServerError.RequestError({
      request: this,
      reason: "Decode",
      description: `This API takes no ${what}`
    })
  }
}

const methodOf = (request: IncomingMessage): HttpMethod => (request.method ?? "GET") as HttpMethod

const valueOf = (body: Body): unknown => (body._tag === "Json" ? body.value : {})

/**
 * The router tells bodies apart by their media type, and knows fewer types than the door, which has read the body
 * already: it gets the plain type of what was read. An empty body may come under any type and reads as `{}`.
 */
const headersOf = ({ body, request }: Admitted): Headers.Headers => {
  const given = request.headers["content-type"]
  const read = body._tag === "Lines" ? "text/plain" : "application/json"
  return given === undefined || given.startsWith(read)
    ? (request.headers as unknown as Headers.Headers)
    : Headers.fromInput({ ...(request.headers as Record<string, string>), "content-type": read })
}
