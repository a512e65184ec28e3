import type { RelayAdapter } from "../../conversations/adapters/Adapter.ts"
import type { Health, HealthStatus, RuntimeFacets } from "../../conversations/adapters/Health.ts"
import type { Delivery } from "../../conversations/deliveries/Delivery.ts"
import type { Reconciled } from "../../conversations/deliveries/Reconciled.ts"
import type { Sent } from "../../conversations/deliveries/Send.ts"
import type { Mapping } from "../../conversations/mappings/Mapping.ts"
import { oneLine } from "../../kernel/Foreign.ts"
import { iso } from "../../kernel/Time.ts"
import type { Paint } from "../text/Paint.ts"
import { table } from "../text/Table.ts"
import { remedyFor } from "./Remedies.ts"

/** A relay, how it is, and the channel that leads from it to the squad chat. */
export interface Standing {
  readonly adapter: RelayAdapter
  readonly health: Health
  readonly mapping: Mapping | null
}

/** The beginning of an id, enough for a person to tell it from others. */
const short = (id: string): string => id.slice(0, 8)

const statusText = (status: HealthStatus, paint: Paint): string => {
  switch (status) {
    case "healthy":
      return paint.green(status)
    case "disabled":
      return paint.dim(status)
    case "degraded":
      return paint.yellow(status)
    case "unhealthy":
    case "unsupported":
      return paint.red(status)
  }
}

const line = (name: string, what: string): string => `  ${`${name}:`.padEnd(11)}${oneLine(what)}`

const cursorText = ({ catchingUp, confirmedAt, createdAt, eventId }: RuntimeFacets["cursor"]): string => {
  const last =
    createdAt === null || eventId === null
      ? "nothing read yet"
      : `${iso(createdAt * 1_000)} ${short(eventId)}`
  const whole = confirmedAt === null ? "" : `, complete up to ${confirmedAt}`
  return `${last}${whole}${catchingUp ? ", catching up" : ""}`
}

const waitingText = ({ cursor, send }: RuntimeFacets): string => {
  const parts = [
    `${send.queued} to send`,
    `${send.unknown} uncertain${send.unknown === 0 ? "" : " (muster relay poll settles them)"}`,
    `${cursor.pendingReplies} replies for what they answer`
  ]
  return parts.join(", ")
}

/** The health of a relay: its state, why, what to do, and how far it has read. */
export const standingText = ({ adapter, health, mapping }: Standing, paint: Paint): string => {
  const { reasonCode, runtime, status } = health
  const remedy = remedyFor(reasonCode)
  return [
    `${paint.bold(adapter.id)}  ${statusText(status, paint)}  ${oneLine(adapter.displayName)}`,
    ...(status === "healthy"
      ? []
      : [
          line("reason", `${health.message} (${reasonCode})`),
          ...(remedy === undefined ? [] : [line("do", remedy)])
        ]),
    line(
      "relay",
      `${adapter.relayHttpUrl}, community ${health.observedCommunity ?? "unknown"}, version ${health.observedVersion ?? "unknown"}`
    ),
    line("channel", mapping === null ? "none" : `${mapping.channelId}, brought in by ${mapping.actor}`),
    ...(runtime === undefined
      ? []
      : [line("cursor", cursorText(runtime.cursor)), line("waiting", waitingText(runtime))])
  ].join("\n")
}

/** The health of all relays. */
export const standingsText = (all: ReadonlyArray<Standing>, paint: Paint): string =>
  all.length === 0
    ? "No relay is configured: PUT /api/integrations/communication/adapters/ID makes one."
    : all.map((standing) => standingText(standing, paint)).join("\n\n")

/** A message of the squad chat and its delivery to the relay, on one line. */
export const sentText = (messageId: string, { deliveryId, event, message, reasonCode, status }: Sent) => {
  const why = message ?? reasonCode ?? "no reason was given"
  const remedy = reasonCode === undefined ? undefined : remedyFor(reasonCode)
  const which = `${messageId} (${deliveryId})`
  return (paint: Paint): string => {
    switch (status) {
      case "success":
        return `${paint.green("Sent")} ${which} as event ${short(event?.id ?? "")}`
      case "queued":
        return `${paint.yellow("Queued")} ${which}: ${oneLine(why)}. It is tried again until it is 15 minutes old`
      case "delivery_unknown":
        return `${paint.yellow("Unknown")} ${which}: ${oneLine(why)}. Settle it with muster relay poll`
      case "blocked":
      case "skipped": {
        const first = remedy === undefined ? "" : ` ${remedy}.`
        return `${paint.red("Not sent")} ${which}: ${oneLine(why)}.${first} Then muster relay send --message ${messageId}`
      }
      default:
        return `${paint.red("Failed")} ${which}: ${oneLine(why)}${remedy === undefined ? "" : `. ${remedy}`}`
    }
  }
}

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`

/** The result of a poll. */
export const reconciledText = (
  { checked, deliveries, failed, reasonCode, resubmitted, success }: Reconciled,
  paint: Paint
): string => {
  if (checked === 0) return "Nothing to settle."
  const open = deliveries.filter(({ status }) => status === "delivery_unknown" || status === "queued").length
  const why = reasonCode === null ? "" : `: ${reasonCode}. ${remedyFor(reasonCode) ?? ""}`.trimEnd()
  return `${paint.bold(counted(checked, "message"))}: ${success} arrived (${resubmitted} handed over again), ${failed} failed, ${open} open${why}`
}

/** A table of deliveries. */
export const deliveriesText = (all: ReadonlyArray<Delivery>, paint: Paint): string =>
  all.length === 0
    ? "No deliveries."
    : table(
        ["UPDATED", "WAY", "STATUS", "REASON", "TIMES", "EVENT", "MESSAGE", "ID"],
        all.map((delivery) => [
          delivery.updatedAt,
          delivery.direction === "inbound" ? "in" : "out",
          delivery.status,
          delivery.reasonCode ?? "-",
          String(delivery.times),
          delivery.eventId === null ? "-" : short(delivery.eventId),
          delivery.squadMessageId ?? "-",
          delivery.id
        ]),
        paint
      )
