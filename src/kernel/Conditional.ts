import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Schema } from "effect"
import { lookedUp } from "./Incoming.ts"

/** The header of a conditional read. */
export const Headers = Schema.Struct({
  "if-none-match": Schema.optional(
    Schema.String.pipe(lookedUp).annotations({
      description:
        "Entity tags that the client has: when one of them is current, the answer is a 304 without a body"
    })
  )
})
export type Headers = typeof Headers.Type

/** Whether a client has what bears this tag. Reads compare weakly (RFC 9110). */
const has = (tag: string, known = ""): boolean =>
  known.split(",").some((one) => {
    const named = one.trim().replace(/^W\//, "")
    return named === "*" || named === tag
  })

/** Answers with JSON and the tag of what it says, or with 304 when the client has it. */
export const respond = (body: unknown, content: string, headers: Headers) => {
  const tag = `"${content}"`
  const etag = { etag: `W/${tag}` }
  return has(tag, headers["if-none-match"])
    ? HttpServerResponse.empty({ status: 304, headers: etag })
    : HttpServerResponse.unsafeJson(body, { headers: etag })
}
