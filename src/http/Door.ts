import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { canonicalUrl } from "./Alias.ts"
import { type Body, noBody, readBody } from "./Body.ts"
import type { Guard } from "./Guard.ts"
import { type Access, admit } from "./HostGuard.ts"
import * as Refusal from "./Refusal.ts"
import { originForm, takeApart } from "./RequestTarget.ts"

/** The largest body that the door reads: 1 MiB. */
export const bodyLimit = 1_048_576

/** Names of the response headers that a page of another allowed origin may read. */
const exposed =
  "ETag, X-Resource-Revision, X-Request-Id, X-Total-Count, X-Veritas-Task-Identity-Conflicts, X-Unknown-Parameters, Retry-After"
const methodsWithBody = new Set(["POST", "PUT", "PATCH", "DELETE"])
const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/
const processTag = Math.trunc(process.hrtime()[1] % 1_679_616).toString(36)
let requestCount = 0

/** A request that has passed the door. */
export interface Admitted {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly body: Body
}

/** What the door goes by. */
export interface DoorOptions {
  readonly access: Access
  readonly guard: Guard
  /** The routes whose body is lines of text (`POST /api/tasks/import`). */
  readonly takesLines: ReadonlySet<string>
}

/**
 * The first thing that a request meets, before any route: its id, the Host and Origin guard, the alias of the prefix,
 * and its body, read up to a limit. What passes goes on; what does not is answered here.
 */
export const makeDoor =
  ({ access, guard, takesLines }: DoorOptions, enter: (admitted: Admitted) => void): RequestListener =>
  (request, response) => {
    const requestId = requestIdOf(request)
    const refuse = (refusal: Refusal.Refusal) => Refusal.send(response, refusal, everyAnswer(requestId))
    const admission = admit(request, access)
    if (admission._tag === "Refuse") return refuse(Refusal.foreign(admission.reason))
    if (admission._tag === "PassCrossOrigin") {
      allowOrigin(response, admission.origin)
      if (request.method === "OPTIONS") return answerPreflight(response, requestId)
    }
    const target = originForm(request.url ?? "/", request.headers.host)
    if (target === undefined) return refuse(Refusal.otherAuthority)
    request.url = canonicalUrl(target)
    if (!methodsWithBody.has(request.method ?? ""))
      return enter({ request, response, requestId, body: noBody })
    const lines = takesLines.has(`${request.method} ${takeApart(request.url).path}`)
    readBody(request, { guard, limitBytes: bodyLimit, lines }, (body) =>
      body._tag === "Refused"
        ? refuse(Refusal.body(body.refusal))
        : enter({ request, response, requestId, body })
    )
  }

/** The headers of every answer. They are written with it: setting them one by one takes longer than the guard. */
export const everyAnswer = (requestId: string) => ({
  "x-request-id": requestId,
  "x-content-type-options": "nosniff",
  "cache-control": "no-store"
})

const requestIdOf = (request: IncomingMessage): string => {
  const given = request.headers["x-request-id"]
  return typeof given === "string" && requestIdPattern.test(given) ? given : `${processTag}-${++requestCount}`
}

const allowOrigin = (response: ServerResponse, origin: string): void => {
  response.setHeader("access-control-allow-origin", origin)
  response.setHeader("access-control-expose-headers", exposed)
  response.setHeader("vary", "Origin")
}

const answerPreflight = (response: ServerResponse, requestId: string): void => {
  response.writeHead(204, {
    ...everyAnswer(requestId),
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers":
      "Content-Type, X-API-Key, Authorization, If-Match, X-Resource-Revision, X-Request-Id",
    "access-control-max-age": "600"
  })
  response.end()
}
