import type { IncomingMessage, ServerResponse } from "node:http"
import type { Event } from "@nostr-relay/common"
import { type Context, noCommunity, serves, take, validator } from "./Context.ts"
import { type Answer, json, send, suffer } from "./Faults.ts"
import { checkFilters, FilterRefused, filtersOf, search } from "./Filters.ts"
import { authEventOf, HttpAuth } from "./HttpAuth.ts"
import { tellingHeaders } from "./Journal.ts"
import { relayInfo } from "./RelayInfo.ts"

const maxBody = 1_048_576

interface Asked {
  readonly request: IncomingMessage
  /** The path as the relay sees it, behind a proxy that strips its prefix. */
  readonly path: string
  readonly body: Buffer
  readonly authEvent: Event | undefined
}

/** The HTTP side of the relay. What it offers is in the table of endpoints; the engine has no HTTP of its own. */
export const relayHttp = (context: Context) => {
  const auth = new HttpAuth(context)

  const events = async (body: Buffer, publicKey: string): Promise<Answer> => {
    let event: Event
    try {
      event = await validator.validateEvent(JSON.parse(body.toString()))
    } catch (cause) {
      return json(400, { error: `invalid: ${cause instanceof Error ? cause.message : "bad event"}` })
    }
    if (event.pubkey !== publicKey) {
      return json(403, { error: "restricted: event author does not match the authenticated key" })
    }
    const { accepted, message } = await take(context, event)
    return accepted ? json(200, { event_id: event.id, accepted, message }) : json(400, { error: message })
  }

  const query = async (body: Buffer, publicKey: string): Promise<Answer> => {
    try {
      const filters = await filtersOf(body.toString(), context.settings)
      checkFilters(filters, publicKey)
      return json(200, await search(filters, publicKey, context))
    } catch (cause) {
      if (cause instanceof FilterRefused) return json(cause.status, { error: cause.message })
      return json(500, { error: "internal server error" })
    }
  }

  const signed = (
    { authEvent, body, path, request }: Asked,
    run: (body: Buffer, publicKey: string) => Promise<Answer>
  ): Promise<Answer> | Answer => {
    const asked = auth.authorise(authEvent, request, body, path)
    return "status" in asked ? json(asked.status, asked.body) : run(body, asked.publicKey)
  }

  const answer = async (asked: Asked): Promise<Answer> => {
    const { body, path, request } = asked
    const route = `${request.method} ${path.split("?")[0]}`
    if (["GET /health", "GET /_liveness", "GET /_readiness"].includes(route))
      return { status: 200, body: "ok" }
    if (route === "GET /info") return relayInfo(context)
    if (!serves(context, request.headers.host)) return json(404, { error: noCommunity })
    if (body.length > maxBody) return { status: 413, body: "length limit exceeded" }
    if (route === "GET /") {
      const wanted = request.headers.accept?.includes("application/nostr+json") === true
      return wanted ? relayInfo(context) : { status: 426, body: "this is a relay: connect with a WebSocket" }
    }
    if (route === "POST /events") return signed(asked, events)
    if (route === "POST /query") return signed(asked, query)
    return { status: 404, body: "not found" }
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathPrefix } = context.settings
    const shown = request.url ?? "/"
    const body = await read(request)
    const authEvent = await authEventOf(request)
    const note = (status: number | undefined): void => record(context, request, body, authEvent, status)
    response.setHeader("date", new Date(context.settings.now()).toUTCString())
    const responder = context.faults.responders.get(shown)
    if (responder !== undefined) {
      const { headers, method = "" } = request
      responder(response, { method, path: shown, headers, body: body.toString() })
      return note(response.headersSent ? response.statusCode : undefined)
    }
    const inside = shown.startsWith(pathPrefix)
    const path = shown.slice(pathPrefix.length) || "/"
    const run = async (): Promise<Answer> =>
      inside ? answer({ request, path, body, authEvent }) : { status: 404, body: "not found" }
    const fault = context.faults.take(path)
    if (fault !== undefined) return note(await suffer(fault, request, response, run))
    const answered = await run()
    send(response, answered)
    note(answered.status)
  }
}

/** Reads a body, and no more of it than shows that it's too large. */
const read = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  let size = 0
  try {
    for await (const chunk of request) {
      if (size <= maxBody) chunks.push(chunk)
      size += chunk.length
    }
  } catch {
    // The client went away in the middle; what there is of the body goes into the journal.
  }
  return Buffer.concat(chunks)
}

const record = (
  { journal }: Context,
  request: IncomingMessage,
  body: Buffer,
  authEvent: Event | undefined,
  status: number | undefined
): void => {
  const headers = tellingHeaders(request)
  const { method = "", url: path = "" } = request
  journal.note(({ http }) => http.push({ method, path, status, authEvent, body: body.toString(), headers }))
}
