import { randomUUID } from "node:crypto"
import { Effect, type Scope } from "effect"
import { type Listener, listen, type Message, type UpgradeRefused } from "../Socket.ts"
import { authentication, nip98 } from "./Drafts.ts"
import type { Identity, SignedEvent } from "./Keys.ts"
import type { TestRelay } from "./Relay.ts"

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
  readonly at?: number
}

const parsed = (text: string): Message => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Posts to the relay with a header signed by somebody, as another client of it would. */
export const post = (
  to: TestRelay,
  by: Identity,
  path: string,
  request: Request = {}
): Effect.Effect<Reply> =>
  Effect.promise(async () => {
    const body = typeof request.body === "string" ? request.body : JSON.stringify(request.body ?? [])
    const at = request.at === undefined ? {} : { at: request.at }
    const { authorization = nip98({ by, url: `${to.url}${path}`, body, ...at }) } = request
    const auth = authorization === null ? {} : { authorization }
    const answer = await fetch(`${to.url}${path}`, {
      method: "POST",
      body,
      redirect: "manual",
      headers: { "content-type": "application/json", ...auth, ...request.headers }
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: parsed(text) }
  })

/** Gets a path without a word of who asks. */
export const get = (to: TestRelay, path: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.promise(async (): Promise<Reply> => {
    const answer = await fetch(`${to.url}${path}`, { headers, redirect: "manual" })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: parsed(text) }
  })

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
