import { Option, Schema } from "effect"
import { after, oneLine, printableJson } from "../../kernel/Foreign.ts"
import type { RunEvent } from "../../runs/journal/RunEvent.ts"
import type { Paint } from "./Paint.ts"

const Payload = Schema.Record({ key: Schema.String, value: Schema.Unknown })
const decodePayload = Schema.decodeUnknownOption(Payload)

/** The longest text of a call, a result or an unknown event, in characters. */
const longest = 300

const short = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text

const asText = (value: unknown): string => (typeof value === "string" ? value : printableJson(value ?? null))

/** The name of an event and what it says; `long` is what somebody said, in as many lines as it has. */
interface Said {
  readonly name: string
  readonly text: string
  readonly long?: boolean
}

const saidOf = (kind: string, payload: Readonly<Record<string, unknown>>): Said => {
  const { input, name, output, status, stream, summary, text } = payload
  switch (kind) {
    case "output":
      return { name: asText(stream), text: asText(text) }
    case "message":
      return { name: kind, text: asText(text), long: true }
    case "user_message":
      return { name: asText(payload["actor"] ?? "somebody"), text: asText(text), long: true }
    case "tool_call":
      return { name: kind, text: `${asText(name)} ${short(asText(input))}` }
    case "tool_result":
      return { name: kind, text: short(asText(output)) }
    case "tokens":
      return {
        name: kind,
        text: `${asText(payload["model"] ?? "a model")}: ${asText(payload["inputTokens"] ?? 0)} in, ${asText(payload["outputTokens"] ?? 0)} out`
      }
    case "result":
      return {
        name: kind,
        text: `claims ${asText(status)}${summary === undefined ? "" : `: ${asText(summary)}`}`,
        long: true
      }
    default:
      return { name: kind, text: short(printableJson(payload)) }
  }
}

/** What a payload says, also when it is too long for its event. */
const sayingOf = ({ kind, payload, redaction }: RunEvent): Said => {
  const known = Option.getOrUndefined(decodePayload(payload))
  if (known === undefined) {
    return { name: kind, text: `dropped: ${redaction.originalBytes} bytes are more than is kept of a run` }
  }
  const { artifactId, preview, ...rest } = known
  if (typeof artifactId !== "string") return saidOf(kind, known)
  const begun = saidOf(kind, { ...rest, ...Option.getOrElse(decodePayload(preview), () => ({})) })
  return { ...begun, text: `${begun.text} [more in ${artifactId}]` }
}

/** The width of the names of events: the longest that there is often. */
const column = "tool_result".length

/** An event of a run on a line of its own, and further lines behind a mark. */
export const runEventText = (event: RunEvent, paint: Paint): string => {
  const { long = false, name, text } = sayingOf(event)
  const head = `${paint.dim(String(event.sequence).padStart(4))}  ${oneLine(name).padEnd(column)}`
  const line = after(head, `${" ".repeat(column + 5)}| `, long ? text : oneLine(text))
  return event.redaction.status === "redacted" ? `${line} ${paint.dim("[without secrets]")}` : line
}

/** Events that are no longer kept. */
export const gapText = ({ from, to }: { readonly from: number; readonly to: number }, paint: Paint): string =>
  paint.dim(from === to ? `Event ${from} is no longer kept.` : `Events ${from} to ${to} are no longer kept.`)
