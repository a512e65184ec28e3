import type { HttpServerRequest } from "@effect/platform/HttpServerRequest"
import { EdgeRequest } from "./EdgeRequest.ts"
import { takeApart } from "./RequestTarget.ts"

/** The most names that are told. */
const nameLimit = 10

/** How much of a name is told, in characters. */
const nameLength = 64

/**
 * Says in `X-Unknown-Parameters` which names of a query the route does not know and so passes over: a misspelled filter
 * filters nothing. The names are percent-encoded and separated by commas.
 */
export const tell = (request: HttpServerRequest, known: ReadonlySet<string>): void => {
  if (!(request instanceof EdgeRequest) || !request.url.includes("?")) return
  const unknown = unknownNames(takeApart(request.url).query, known)
  if (unknown.length > 0) request.tell("x-unknown-parameters", unknown.join(", "))
}

const unknownNames = (query: string, known: ReadonlySet<string>): ReadonlyArray<string> => {
  const unknown = new Set<string>()
  for (const name of new URLSearchParams(query).keys()) {
    if (known.has(name)) continue
    unknown.add(encodeURIComponent([...name].slice(0, nameLength).join("")))
    if (unknown.size === nameLimit) break
  }
  return [...unknown]
}
