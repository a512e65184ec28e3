import { Effect, Layer, Redacted } from "effect"
import { Outbound, type Request, type Response } from "../../kernel/outbound/Outbound.ts"
import { now } from "../../kernel/Time.ts"
import { failureOf, failureOfOutbound, infoOf, jsonOf, submissionOf, submissionOfFailure } from "./Answers.ts"
import { httpAuth } from "./HttpAuth.ts"
import type { Filter } from "./NostrEvent.ts"
import { type Connection, type Endpoint, RelayClient, RelayFailure } from "./RelayClient.ts"
import { openSocket } from "./RelaySocket.ts"

/** How much of an answer is read: a page of ordinary messages, and one of the largest a relay takes. */
const queryLimit = 2 * 1_048_576
const otherLimit = 262_144

const circuitOf = (operation: "info" | "query" | "submit", http: string): string =>
  `relay:${operation}:${new URL(http).host.slice(0, 100)}`

/**
 * The relay over HTTP and WebSocket (relay-wire a). Names are resolved for each connection, every address is checked,
 * and the connection goes there and nowhere else; redirects are not followed. An exchange has 10 s from its first name
 * to its last byte, whatever the relay does and whoever waits for it, and its size is bounded.
 */
export const layer = Layer.effect(
  RelayClient,
  Effect.gen(function* () {
    const outbound = yield* Outbound

    const post = (
      operation: "query" | "submit",
      connection: Connection,
      path: "/query" | "/events",
      body: string,
      responseLimit: number
    ) =>
      Effect.flatMap(now, (at) => {
        const url = `${connection.http}${path}`
        const { allow, attestation, identity } = connection
        const request: Request = {
          circuit: circuitOf(operation, connection.http),
          method: "POST",
          url,
          headers: {
            "content-type": "application/json",
            authorization: httpAuth(identity, { url, method: "POST", body }, Math.floor(at / 1_000)),
            ...(attestation === undefined
              ? {}
              : { "x-auth-tag": JSON.stringify(Redacted.value(attestation.tag)) })
          },
          body,
          responseLimit,
          allow
        }
        return outbound.send(request)
      })

    const get = ({ allow, http }: Endpoint, path: string) =>
      outbound.send({
        circuit: circuitOf("info", http),
        method: "GET",
        url: `${http}${path}`,
        headers: { accept: "application/nostr+json" },
        responseLimit: otherLimit,
        allow
      })

    const readInfo = (answer: Response) =>
      Effect.flatMap(now, (at) => {
        if (answer.status < 200 || answer.status > 299) return Effect.fail(failureOf(answer, at))
        const info = infoOf(answer, at)
        return info === undefined
          ? Effect.fail(new RelayFailure({ reason: "relay_info_invalid" }))
          : Effect.succeed(info)
      })

    return RelayClient.of({
      // The root proves that the host has a community; a relay that keeps it for sockets still has `/info`.
      info: Effect.fn("RelayClient.info")((endpoint) =>
        Effect.flatMap(Effect.mapError(get(endpoint, "/"), failureOfOutbound), readInfo).pipe(
          Effect.catchIf(
            ({ reason, status }) =>
              reason === "relay_info_invalid" ||
              (status !== undefined && [400, 404, 405, 406, 426].includes(status)),
            (first) =>
              Effect.mapError(get(endpoint, "/info"), failureOfOutbound).pipe(
                Effect.flatMap(readInfo),
                Effect.mapError(() => first)
              )
          )
        )
      ),
      query: Effect.fn("RelayClient.query")((connection, filter) =>
        Effect.flatMap(
          Effect.mapError(
            post("query", connection, "/query", JSON.stringify([filter]), queryLimit),
            failureOfOutbound
          ),
          (answer) => Effect.flatMap(now, (at) => readEvents(answer, filter, at))
        )
      ),
      submit: Effect.fn("RelayClient.submit")((connection, event) =>
        post("submit", connection, "/events", JSON.stringify(event), otherLimit).pipe(
          Effect.flatMap((answer) => Effect.map(now, (at) => submissionOf(answer, event.id, at))),
          Effect.catchAll((failure) => Effect.succeed(submissionOfFailure(failure)))
        )
      ),
      open: (connection) => openSocket(outbound, connection)
    })
  })
)

/** A list of something else is no answer; a list with something else in it is sorted out by the caller. */
const holdsEvents = (list: ReadonlyArray<unknown>): boolean =>
  list.length === 0 || list.some((one) => typeof one === "object" && one !== null && !Array.isArray(one))

const readEvents = (answer: Response, { limit = 1_000 }: Filter, atMs: number) => {
  if (answer.status < 200 || answer.status > 299) return Effect.fail(failureOf(answer, atMs))
  const body = jsonOf(answer.text)
  const events =
    typeof body === "object" && body !== null && "events" in body && !Array.isArray(body) ? body.events : body
  // A relay that gives far more than it was asked for is not read to the end.
  return Array.isArray(events) && events.length <= limit + 1_000 && holdsEvents(events)
    ? Effect.succeed<ReadonlyArray<unknown>>(events)
    : Effect.fail(new RelayFailure({ reason: "query_response_invalid" }))
}
