import type { IncomingMessage } from "node:http"
import { isDeeperThan, maxDepth } from "../kernel/Json.ts"
import { lineThatIsNoUtf8 } from "../kernel/Utf8.ts"
import type { Guard } from "./Guard.ts"

/** A request body as the door read it. */
export type Body =
  | { readonly _tag: "Json"; readonly value: unknown }
  | { readonly _tag: "Lines"; readonly text: string }
  | { readonly _tag: "Refused"; readonly refusal: BodyRefusal }

/** Why a body is refused. */
export type BodyRefusal =
  | { readonly reason: "too-large"; readonly limitBytes: number }
  | { readonly reason: "media-type" }
  | { readonly reason: "malformed"; readonly message: string }
  | { readonly reason: "incomplete" }

/** No body at all reads as an empty object, so that a missing field is named rather than the missing body. */
export const noBody: Body = { _tag: "Json", value: {} }

const jsonTypes = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i
const lineTypes = /^(?:application\/(?:x-ndjson|jsonl|x-jsonlines)|text\/plain)\s*(?:;|$)/i

/** How a body is read. */
export interface BodyOptions {
  readonly guard: Guard
  readonly limitBytes: number
  /** True where lines of text are due: anywhere else they are as foreign as any other type. */
  readonly lines: boolean
}

/**
 * Reads a body up to a limit. A declared length beyond it is refused before a byte is read, an undeclared one as soon
 * as it gets there.
 */
export const readBody = (
  request: IncomingMessage,
  { guard, limitBytes, lines }: BodyOptions,
  done: (body: Body) => void
): void => {
  const refuse = (refusal: BodyRefusal) => done({ _tag: "Refused", refusal })
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) {
    return refuse({ reason: "too-large", limitBytes })
  }
  const chunks: Array<Buffer> = []
  let size = 0
  let settled = false
  const settle = guard(
    (act: () => void) => {
      if (settled) return
      settled = true
      act()
    },
    () => request.socket
  )
  request.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size > limitBytes) settle(() => refuse({ reason: "too-large", limitBytes }))
    else chunks.push(chunk)
  })
  request.on("end", () =>
    settle(() => done(parseBody(Buffer.concat(chunks), request.headers["content-type"], lines)))
  )
  request.on("error", () => settle(() => refuse({ reason: "incomplete" })))
  request.on("close", () => settle(() => refuse({ reason: "incomplete" })))
}

/** Decides what a whole body is. */
export const parseBody = (bytes: Buffer, contentType: string | undefined, takesLines: boolean): Body => {
  if (bytes.length === 0) return noBody
  const lines = takesLines && contentType !== undefined && lineTypes.test(contentType)
  if (!lines && (contentType === undefined || !jsonTypes.test(contentType))) {
    return { _tag: "Refused", refusal: { reason: "media-type" } }
  }
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    const line = lines ? lineThatIsNoUtf8(bytes) : undefined
    return malformed(`The body is not valid UTF-8${line === undefined ? "" : ` (line ${line})`}`)
  }
  if (lines) return { _tag: "Lines", text }
  if (isDeeperThan(text, maxDepth)) return malformed(`The body nests deeper than ${maxDepth} levels`)
  try {
    return { _tag: "Json", value: JSON.parse(text) }
  } catch (error) {
    // V8 quotes what it read; only the place of the fault is worth telling.
    const place = /position (\d+)/.exec(String(error))?.[1]
    return malformed(
      place === undefined ? "The body is not valid JSON" : `The body is not valid JSON (character ${place})`
    )
  }
}

const malformed = (message: string): Body => ({ _tag: "Refused", refusal: { reason: "malformed", message } })
