import type { ServerResponse } from "node:http"
import type { Issue } from "../kernel/Failures.ts"
import type { BodyRefusal } from "./Body.ts"

/** What the door answers by itself, in the general envelope, before any route is looked up. */
export interface Refusal {
  readonly status: number
  readonly body: { readonly error: string; readonly code: string; readonly details?: object }
  /** True when the rest of the request is not worth reading. */
  readonly close?: boolean
}

/** A Host or an Origin that is not ours, or no single Host. */
export const foreign = (reason: "host" | "origin" | "two-hosts"): Refusal =>
  reason === "two-hosts"
    ? { ...invalid([{ path: "host", message: "Expected one Host header" }]), close: true }
    : {
        status: 403,
        body: {
          error:
            reason === "host"
              ? "This Host is not allowed: use an IP address or localhost, or list the name in SERVICE_ALLOWED_HOSTS"
              : "This Origin is not allowed: list it in SERVICE_ALLOWED_ORIGINS",
          code: "PERMISSION_DENIED",
          details: { reason }
        },
        close: true
      }

/** A request that does not have the form that it needs. */
export const invalid = (issues: ReadonlyArray<Issue>): Refusal => ({
  status: 400,
  body: { error: "Validation failed", code: "VALIDATION_ERROR", details: { issues } }
})

/** A target that names another server than the Host header does, or none that can be read. */
export const otherAuthority: Refusal = {
  ...invalid([
    { path: "", message: "Expected a target that begins with / or names the Host of the request" }
  ]),
  close: true
}

/** A sender who waits for something that this server does not do. */
export const expectation: Refusal = {
  status: 417,
  body: { error: "Expected no Expect header, or 100-continue", code: "VALIDATION_ERROR" },
  close: true
}

/** A body that can't be taken. */
export const body = (refusal: BodyRefusal): Refusal => {
  switch (refusal.reason) {
    case "too-large":
      return {
        status: 413,
        body: {
          error: `The body is larger than ${refusal.limitBytes} bytes`,
          code: "PAYLOAD_TOO_LARGE",
          details: { limitBytes: refusal.limitBytes }
        },
        close: true
      }
    case "media-type":
      return {
        status: 415,
        body: { error: "Send the body as application/json", code: "UNSUPPORTED_MEDIA_TYPE" }
      }
    case "malformed":
      return invalid([{ path: "", message: refusal.message }])
    case "incomplete":
      return { status: 400, body: { error: "The body is incomplete", code: "VALIDATION_ERROR" }, close: true }
  }
}

/** The server is stopping and takes no more work. */
export const stopping: Refusal = {
  status: 503,
  body: { error: "The server is stopping", code: "STOPPING" },
  close: true
}

/** Sends a refusal, with headers of whoever refuses. */
export const send = (
  response: ServerResponse,
  refusal: Refusal,
  headers: Readonly<Record<string, string>> = {}
): void => {
  const text = JSON.stringify(refusal.body)
  response.writeHead(refusal.status, {
    ...headers,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(refusal.close === true ? { connection: "close" } : {})
  })
  response.end(text)
}

/** A fault that no handler foresaw. */
export const internal = (requestId: string): Refusal => ({
  status: 500,
  body: {
    error: `Something went wrong on the server; its log tells more under request ${requestId}`,
    code: "INTERNAL_ERROR",
    details: { requestId }
  }
})
