import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"

/** A mischief that befalls a request. */
export type Fault =
  /** Never answers. */
  | { readonly type: "hang" }
  /** Reads the whole request and resets the connection, after or before it did what was asked. */
  | { readonly type: "cut"; readonly stored: boolean }
  /** Sends half of the true answer, under its full length, and resets the connection. */
  | { readonly type: "truncate" }
  /** Sends a body without end. */
  | { readonly type: "oversized" }
  | { readonly type: "redirect"; readonly to: string }
  | {
      readonly type: "status"
      readonly status: number
      readonly body?: string | object
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Gives the true answer, late. */
  | { readonly type: "slow"; readonly ms: number }

/** An answer before it's sent. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers a path in a way of its own, for as long as it stands. */
export type Responder = (
  response: ServerResponse,
  request: {
    readonly method: string
    readonly path: string
    readonly headers: IncomingHttpHeaders
    readonly body: string
  }
) => void

/** The faults that wait for a request, path by path. */
export class Faults {
  readonly responders = new Map<string, Responder>()
  private readonly waiting = new Map<string, Array<Fault>>()

  next(path: string, fault: Fault, times = 1): void {
    this.waiting.set(path, [...(this.waiting.get(path) ?? []), ...Array.from({ length: times }, () => fault)])
  }

  take(path: string): Fault | undefined {
    return this.waiting.get(path)?.shift()
  }

  clear(): void {
    this.waiting.clear()
    this.responders.clear()
  }
}

export const json = (status: number, body: unknown, headers = {}): Answer => ({
  status,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers }
})

export const send = (response: ServerResponse, { body, headers = {}, status }: Answer): void => {
  response.writeHead(status, { "content-type": "text/plain", ...headers })
  response.end(body)
}

const flow = (response: ServerResponse): void => {
  const chunk = `"${"x".repeat(65_536)}",`
  const pump = (): void => {
    while (!response.destroyed && response.write(chunk));
  }
  response.writeHead(200, { "content-type": "application/json" })
  response.on("drain", pump)
  response.write("[")
  pump()
}

/** Lets a fault happen to a request that has been read. `answer` does what was asked. Gives the status that was sent. */
export const suffer = async (
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
  answer: () => Promise<Answer>
): Promise<number | undefined> => {
  switch (fault.type) {
    case "hang":
      return undefined
    case "cut":
      if (fault.stored) await answer()
      request.socket.resetAndDestroy()
      return undefined
    case "truncate": {
      const { body, headers = {}, status } = await answer()
      response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) })
      response.write(body.slice(0, Math.floor(body.length / 2)), () => request.socket.destroy())
      return status
    }
    case "oversized":
      flow(response)
      return 200
    case "redirect":
      send(response, { status: 302, body: "", headers: { location: fault.to } })
      return 302
    case "status": {
      const { body = "", headers, status } = fault
      const answered = typeof body === "string" ? { status, body } : json(status, body)
      send(response, { ...answered, headers: { ...answered.headers, ...headers } })
      return status
    }
    case "slow": {
      const late = await answer()
      await new Promise((resolve) => setTimeout(resolve, fault.ms).unref())
      send(response, late)
      return late.status
    }
  }
}
