import { Predicate } from "effect"

/** What one side of a JSON-RPC connection says: one message. The member `jsonrpc` may be missing. */
export type Message =
  | {
      readonly _tag: "Request"
      readonly id: string | number
      readonly method: string
      readonly params: unknown
    }
  | { readonly _tag: "Notification"; readonly method: string; readonly params: unknown }
  | { readonly _tag: "Result"; readonly id: string | number; readonly result: unknown }
  | { readonly _tag: "Failure"; readonly id: string | number | null; readonly error: Refusal }

/** Why a request was refused: `code` is a number of JSON-RPC or of the protocol above it. */
export interface Refusal {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

const isId = (value: unknown): value is string | number =>
  typeof value === "string" || (typeof value === "number" && Number.isFinite(value))

const refusalOf = (error: unknown): Refusal => {
  if (!Predicate.isRecord(error)) return { code: -32603, message: "It was refused without a reason" }
  const { code, data, message } = error
  return {
    code: typeof code === "number" ? code : -32603,
    message: typeof message === "string" ? message : "It was refused without a reason",
    ...(data === undefined ? {} : { data })
  }
}

/** Reads one line; undefined for what is no message. */
export const parseMessage = (line: string): Message | undefined => {
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!Predicate.isRecord(read)) return undefined
  const { error, id, method, params, result } = read
  if (typeof method === "string") {
    if (id === undefined || id === null) return { _tag: "Notification", method, params }
    return isId(id) ? { _tag: "Request", id, method, params } : undefined
  }
  if (error !== undefined && error !== null)
    return isId(id) || id === null ? { _tag: "Failure", id, error: refusalOf(error) } : undefined
  return isId(id) && Object.hasOwn(read, "result") ? { _tag: "Result", id, result } : undefined
}

/** Writes one message as a line of its own. A result of nothing is null: without the member it would be no answer. */
export const writeMessage = ({ _tag, ...members }: Message): string =>
  `${JSON.stringify({ jsonrpc: "2.0", ...members, ...("result" in members ? { result: members.result ?? null } : {}) })}\n`
