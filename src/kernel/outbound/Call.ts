import type { LookupFunction } from "node:net"
import { Data, Effect } from "effect"
import type { ResolvedAddress } from "./Lookup.ts"

/** The answer. Header names are in lower case; of a repeated header, the last value counts. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * The exchange failed below HTTP. `reason` is the system's error code, e.g. `ECONNREFUSED`; `sent` tells whether the
 * request may have arrived.
 */
export class Unreachable extends Data.TaggedError("Unreachable")<{
  readonly reason: string
  readonly sent: boolean
}> {
  override get message() {
    return `The target can't be reached (${this.reason})`
  }
}

/** The answer is larger than the limit of its request. */
export class ResponseTooLarge extends Data.TaggedError("ResponseTooLarge")<{ readonly limitBytes: number }> {
  override get message() {
    return `The answer has more than ${this.limitBytes} bytes`
  }
}

/** One request over one connection of its own, to addresses that were checked. */
export interface Call {
  readonly url: URL
  readonly addresses: ReadonlyArray<ResolvedAddress>
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly responseLimit: number
}

/** Resolves every name to the addresses that were checked, so that nothing is looked up a second time. */
export const pinned =
  (addresses: ReadonlyArray<ResolvedAddress>): LookupFunction =>
  (_name, options, callback) => {
    const [first] = addresses
    if (options.all === true) callback(null, [...addresses])
    else if (first !== undefined) callback(null, first.address, first.family)
  }

/**
 * Makes a call. `progress.sent` turns true once the connection is established: from then on the request may have
 * arrived. An interruption closes the connection.
 */
export const call = (
  { addresses, body, headers, method, responseLimit, url }: Call,
  progress: { sent: boolean }
): Effect.Effect<Response, Unreachable | ResponseTooLarge> =>
  Effect.acquireUseRelease(
    // It is loaded when somebody calls: a tenth of a second that a start need not wait for.
    Effect.map(
      Effect.promise(() => import("undici")),
      ({ Client }) => {
        const client = new Client(url.origin, { connect: { lookup: pinned(addresses) }, pipelining: 1 })
        client.on("connect", () => {
          progress.sent = true
        })
        return client
      }
    ),
    (client) =>
      Effect.tryPromise({
        try: async (signal) => {
          const answer = await client.request({
            path: `${url.pathname}${url.search}`,
            method,
            headers,
            body: body ?? null,
            signal
          })
          const chunks: Array<Buffer> = []
          let size = 0
          for await (const chunk of answer.body) {
            const bytes = Buffer.from(chunk)
            size += bytes.length
            if (size > responseLimit) throw new ResponseTooLarge({ limitBytes: responseLimit })
            chunks.push(bytes)
          }
          return {
            status: answer.statusCode,
            headers: flat(answer.headers),
            text: Buffer.concat(chunks).toString("utf8")
          }
        },
        catch: (error) =>
          error instanceof ResponseTooLarge
            ? error
            : new Unreachable({ reason: codeOf(error), sent: progress.sent })
      }),
    (client) => Effect.promise(() => client.destroy())
  )

const flat = (
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const last = typeof value === "string" ? value : value?.at(-1)
      return last === undefined ? [] : [[name, last]]
    })
  )

/** The code of an error; its text may hold parts of the URL. Happy eyeballs put the errors of all addresses together. */
export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EUNKNOWN"
}
