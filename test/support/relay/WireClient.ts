import { randomUUID } from "node:crypto"
import { Effect, type Scope } from "effect"
import { type Listener, listen, type Message, type UpgradeRefused } from "../Socket.ts"
import { authentication, nip98 } from "./Drafts.ts"
import type { Identity, SignedEvent } from "./Keys.ts"
import type { TestRelay } from "./TestRelay.ts"

/** An answer of the HTTP side. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The text as JSON; undefined when it's something else. */
  readonly body: Message
}

/** What a request deviates in from a good one. */
export interface Request {
  readonly body?: unknown
  /** The whole `Authorization` header, in place of the one that's made; none at all for null. */
  readonly authorization?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** The URL in the signed header, where it isn't the one that is asked. */
  readonly signedUrl?: string
}

const parsed = (text: string): Message => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const exchange = async (url: string, init: RequestInit): Promise<Reply> => {
  const answer = await fetch(url, { redirect: "manual", ...init })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: parsed(text) }
}

/** Posts to the relay with a header signed by somebody, as another client of it would. */
export const post = (
  to: TestRelay,
  by: Identity,
  path: string,
  request: Request = {}
): Effect.Effect<Reply> =>
  Effect.promise(() => {
    const url = `${to.url}${path}`
    const body = typeof request.body === "string" ? request.body : JSON.stringify(request.body ?? [])
    const { authorization = nip98({ by, url: request.signedUrl ?? url, body }) } = request
    const auth = authorization === null ? {} : { authorization }
    const headers = { "content-type": "application/json", ...auth, ...request.headers }
    return exchange(url, { method: "POST", body, headers })
  })

/** Gets a path without a word of who asks. */
export const get = (to: TestRelay, path: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(() => exchange(`${to.url}${path}`, { headers }))

/** Opens a socket of the relay that has not said who it is. */
export const knock = (to: TestRelay): Effect.Effect<Listener, UpgradeRefused, Scope.Scope> =>
  listen(to.url, { path: "/", headers: {} })

/** Opens a socket of the relay and authenticates. */
export const connect = (to: TestRelay, by: Identity, tags: ReadonlyArray<ReadonlyArray<string>> = []) =>
  Effect.gen(function* () {
    const socket = yield* knock(to)
    const [, challenge] = yield* socket.until(([verb]) => verb === "AUTH")
    const answer = authentication({ by, challenge, relay: to.wsUrl, tags })
    yield* socket.send(["AUTH", answer])
    const [, , accepted, reason] = yield* socket.until(([verb, id]) => verb === "OK" && id === answer.id)
    return { ...socket, accepted: accepted === true, reason: String(reason) }
  })

/** Subscribes under a fresh id, and gives the stored events up to EOSE, or the text of CLOSED. */
export const subscribe = (socket: Pick<Listener, "send" | "next">, ...filters: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const id = randomUUID()
    const events: Array<SignedEvent> = []
    yield* socket.send(["REQ", id, ...filters])
    for (;;) {
      const [verb, of, what] = yield* socket.next
      if (of !== id) continue
      if (verb === "EVENT") events.push(what)
      if (verb === "EOSE") return { id, events, closed: undefined }
      if (verb === "CLOSED") return { id, events, closed: String(what) }
    }
  })
